/** Command palette: arrow keys select a page, an object or a command, Enter opens or runs it. */
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import type { Access } from '../../api/access.ts'
import { queryClient } from '../../api/client.ts'
import { useAccess } from '../../features/auth/use-access.ts'
import { useReturnFocus } from '../../lib/use-return-focus.ts'
import type { Command } from './commands.ts'
import { type Hit, searchSources } from './search-sources.ts'
import styles from './global-search.module.css'

const maxHits = 6
const debounceMs = 120

interface Group {
  title: string
  hits: Hit[]
}

async function findAll(text: string, access: Access): Promise<Group[]> {
  const groups = await Promise.all(
    searchSources.map(async ({ title, find, max = maxHits }) => {
      // A failing source does not affect the others.
      const hits = await Promise.resolve(find(text, access)).catch((): Hit[] => [])
      return { title, hits: hits.slice(0, max) }
    }),
  )
  return groups.filter(({ hits }) => hits.length > 0)
}

function searchQuery(text: string, access: Access) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: () => findAll(text, access),
    gcTime: 0,
    staleTime: 0,
  })
}

interface GlobalSearchProps {
  close: () => void
  run: (command: Command) => void
}

export function GlobalSearch({ close, run }: GlobalSearchProps) {
  useReturnFocus()
  const navigate = useNavigate()
  const access = useAccess()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [query] = useDebouncedValue(text.trim(), debounceMs)
  const {
    data: groups = [],
    isSuccess,
    isPlaceholderData: isStale,
  } = useQuery({ ...searchQuery(query, access), placeholderData: (before: Group[] | undefined) => before })
  const hits = groups.flatMap((group) => group.hits)
  const optionId = (index: number) => `${id}-${index}`

  const go = (hit: Hit | undefined) => {
    if (hit === undefined) return
    close()
    if ('command' in hit.target) run(hit.target.command)
    else void navigate(hit.target.link)
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
      if (query === text.trim() && !isStale) go(hits[chosen])
      // Enter before the results arrive opens the first result.
      else void queryClient.fetchQuery(searchQuery(text.trim(), access)).then(([first]) => go(first?.hits[0]))
    }
  }

  return (
    <Modal.Root opened onClose={close} centered={false} yOffset="12vh" padding={0} size="lg">
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
            placeholder={
              access.hasRole('support') ? 'Search, or type a command such as “test orders”' : 'Search'
            }
            aria-label="Search messages, numbers, events, webhooks, keys, apps, pages and commands"
            role="combobox"
            aria-expanded={hits.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={hits.length > 0 ? optionId(chosen) : undefined}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        </div>
        <div className={styles.list} id={`${id}-list`} role="listbox" aria-label="Results">
          {groups.map(({ title, hits: groupHits }) => (
            <div key={title} role="group" aria-label={title}>
              <p className={styles.group} aria-hidden="true">
                {title}
              </p>
              {groupHits.map((hit) => {
                const index = hits.indexOf(hit)
                return (
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input above handles the keys
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
        <p className={styles.empty} role="status">
          {isSuccess && !isStale && hits.length === 0 ? `No results for “${text.trim()}”` : ''}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}
