/** The search over everything: type, move with the arrows, go with Enter. */
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { queryClient } from '../api/api.ts'
import { useFocusBack } from '../parts/use-focus-back.ts'
import { type Hit, searchSources } from './search-sources.ts'
import styles from './search.module.css'

const mostHits = 6
const pauseMs = 120

interface Group {
  title: string
  hits: Hit[]
}

async function findAll(text: string): Promise<Group[]> {
  const groups = await Promise.all(
    searchSources.map(async ({ title, find }) => {
      // A source that cannot answer leaves the others alone.
      const hits = await Promise.resolve(find(text)).catch((): Hit[] => [])
      return { title, hits: hits.slice(0, mostHits) }
    }),
  )
  return groups.filter(({ hits }) => hits.length > 0)
}

function searchQuery(text: string) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: () => findAll(text),
    gcTime: 0,
    staleTime: 0,
  })
}

export function Search({ close }: { close: () => void }) {
  useFocusBack()
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [asked] = useDebouncedValue(text.trim(), pauseMs)
  const {
    data: groups = [],
    isSuccess,
    isPlaceholderData: isOld,
  } = useQuery({ ...searchQuery(asked), placeholderData: (before: Group[] | undefined) => before })
  const hits = groups.flatMap((group) => group.hits)
  const optionId = (index: number) => `${id}-${index}`

  const go = (hit: Hit | undefined) => {
    if (hit === undefined) return
    close()
    void navigate(hit.link)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && hits.length > 0) {
      event.preventDefault()
      const next = (chosen + step + hits.length) % hits.length
      setChosen(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (asked === text.trim() && !isOld) go(hits[chosen])
      // Whoever is faster than the search goes to the first that it finds.
      else void queryClient.fetchQuery(searchQuery(text.trim())).then(([first]) => go(first?.hits[0]))
    }
  }

  return (
    <Modal.Root opened onClose={close} centered={false} yOffset="12vh" padding={0}>
      <Modal.Overlay blur={2} />
      <Modal.Content aria-label="Search" radius="lg">
        <div className={styles.field}>
          <IconSearch size={18} stroke={1.75} aria-hidden="true" />
          <input
            className={styles.input}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setChosen(0)
            }}
            onKeyDown={move}
            placeholder="Message id, number, event, webhook, page"
            aria-label="Search messages, numbers, events, webhooks, keys, apps and pages"
            role="combobox"
            aria-expanded={hits.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={hits.length > 0 ? optionId(chosen) : undefined}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        </div>
        <div className={styles.list} id={`${id}-list`} role="listbox" aria-label="Found">
          {groups.map(({ title, hits: own }) => (
            <div key={title} role="group" aria-label={title}>
              <p className={styles.group} aria-hidden="true">
                {title}
              </p>
              {own.map((hit) => {
                const index = hits.indexOf(hit)
                return (
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above takes the keys
                  <div
                    key={hit.id}
                    className={styles.hit}
                    id={optionId(index)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === chosen}
                    onMouseMove={() => setChosen(index)}
                    onClick={() => go(hit)}
                  >
                    <bdi className={styles.title}>{hit.title}</bdi>
                    {hit.detail !== undefined && <span className={styles.detail}>{hit.detail}</span>}
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        <p className={styles.none} role="status">
          {isSuccess && !isOld && hits.length === 0 ? `Nothing is called “${text.trim()}”.` : ''}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}
