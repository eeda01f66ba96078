/** The search over everything: type, move with the arrows, go with Enter. */
import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Hit, searchSources } from './search-sources.ts'
import styles from './search.module.css'

const mostHits = 6

interface Group {
  title: string
  hits: Hit[]
}

async function findAll(text: string): Promise<Group[]> {
  const groups = await Promise.all(
    searchSources.map(async ({ title, find }) => ({ title, hits: (await find(text)).slice(0, mostHits) })),
  )
  return groups.filter(({ hits }) => hits.length > 0)
}

export function Search({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { data: groups = [], isSuccess } = useQuery({
    queryKey: ['search', text.trim()],
    queryFn: () => findAll(text.trim()),
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: 0,
  })
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
      go(hits[chosen])
    }
  }

  return (
    <Modal.Root opened onClose={close} centered={false} yOffset="12vh" padding={0}>
      <Modal.Overlay blur={2} />
      <Modal.Content aria-label="Search">
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
            placeholder="Search pages, keys, apps"
            aria-label="Search pages, keys, apps"
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
          {isSuccess && hits.length === 0 ? `Nothing is called “${text.trim()}”.` : ''}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}
