/** Search box for any ID or number, and filter chips. */
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { EventsSearch } from '../../api/events.ts'
import { omit } from '../../lib/omit.ts'
import { TimeStyleToggle } from '../../ui/time/time-style-toggle.tsx'
import { EventFilterChips } from './event-filter-chips.tsx'
import { TimeRange } from './time-range.tsx'
import { useTyped } from './use-typed.ts'
import styles from './events.module.css'

const fields = ['type', 'hook_id', 'state', 'status', 'reason'] as const

const route = getRouteApi('/app/events')

export function hasFilters({ cursor: _cursor, live: _live, ...filters }: EventsSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

export function EventFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [cleared, setCleared] = useState(0)
  return (
    <div className={styles.filters} role="search">
      {/* A new key resets unsubmitted input, which the URL does not hold. */}
      <SearchBox key={cleared} />
      <div className={styles.chips}>
        <EventFilterChips
          fields={fields}
          search={search}
          choose={(field, value) =>
            void navigate({
              search: (now) => {
                const first = omit(now, 'cursor')
                return value === undefined ? omit(first, field) : { ...first, [field]: value }
              },
            })
          }
        />
        {search.live !== true && <TimeRange key={cleared} />}
        {hasFilters(search) && (
          <button
            className={styles.clear}
            type="button"
            onClick={() => {
              setCleared(cleared + 1)
              void navigate({ search: search.live === true ? { live: true } : {} })
            }}
          >
            Clear filters
          </button>
        )}
        <span className={styles.times}>
          <TimeStyleToggle />
        </span>
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
    const requested = text.trim()
    void navigate({
      search: (now) => {
        const first = omit(now, 'cursor')
        return requested === '' ? omit(first, 'q') : { ...first, q: requested }
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        size="md"
        type="search"
        aria-label="Search events"
        placeholder="Message ID, number or its last 6 digits, foreign ID, event ID or webhook ID, then Enter"
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
