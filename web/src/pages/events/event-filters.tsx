/** One box that takes any id or number, and chips that narrow. */
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { EventsSearch } from '../../api/events.ts'
import { without } from '../../words/without.ts'
import { FilterChips } from './filter-chips.tsx'
import { TimeRange } from './time-range.tsx'
import { useTyped } from './use-typed.ts'
import styles from './events.module.css'

const fields = ['type', 'hook_id', 'state', 'status', 'reason'] as const

const route = getRouteApi('/area/events')

export function isNarrowed({ cursor: _cursor, live: _live, ...asked }: EventsSearch): boolean {
  return Object.values(asked).some((value) => value !== undefined)
}

export function EventFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [cleared, setCleared] = useState(0)
  return (
    <div className={styles.filters} role="search">
      {/* What is typed there, or asked for there, may stand nowhere else: clearing all begins both anew. */}
      <SearchBox key={cleared} />
      <div className={styles.chips}>
        <FilterChips
          fields={fields}
          search={search}
          choose={(field, value) =>
            void navigate({
              search: (now) => {
                const first = without(now, 'cursor')
                return value === undefined ? without(first, field) : { ...first, [field]: value }
              },
            })
          }
        />
        <TimeRange key={cleared} />
        {isNarrowed(search) && (
          <button
            className={styles.clear}
            type="button"
            onClick={() => {
              setCleared(cleared + 1)
              void navigate({ search: search.live === true ? { live: true } : {} })
            }}
          >
            Clear all
          </button>
        )}
      </div>
    </div>
  )
}

function SearchBox() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useTyped(q)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    void navigate({
      search: (now) => {
        const first = without(now, 'cursor')
        return wanted === '' ? without(first, 'q') : { ...first, q: wanted }
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        size="md"
        type="search"
        aria-label="Search events"
        placeholder="Message id, number, foreign id, event id or webhook id, then Enter"
        leftSection={<IconSearch size={18} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={(event) => {
          if (event.currentTarget.value.trim() !== q) submit(event)
        }}
        spellCheck={false}
        autoComplete="off"
      />
    </form>
  )
}
