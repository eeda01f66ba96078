/** Actions for the selected events or for all search results. */
import { Button } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type EventsSearch, toApiSearch } from '../../api/events.ts'
import type { EventRow, Selection } from '../../api/types.ts'
import { StartReplay } from '../replays/start-replay.tsx'
import { plural } from '../../lib/format-number.ts'
import { isEventId } from '../../lib/event-id.ts'
import { hasFilters } from './event-filters.tsx'
import styles from './events.module.css'

const route = getRouteApi('/app/events')

interface SelectionBarProps {
  rows: readonly EventRow[]
  selected: readonly EventRow[]
  choose: (ids: ReadonlySet<string>) => void
}

export function SelectionBar({ rows, selected, choose }: SelectionBarProps) {
  const search = route.useSearch()
  const [selection, setSelection] = useState<Selection | null>(null)
  const isAllSelected = rows.length > 0 && selected.length === rows.length
  return (
    <>
      <div className={styles.selection}>
        <p role="status">
          {selected.length === 0 ? 'Select events to replay' : `${plural(selected.length, 'event')} selected`}
        </p>
        <div className={styles.selectionActions}>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            disabled={rows.length === 0}
            onClick={() => choose(isAllSelected ? new Set() : new Set(rows.map(({ id }) => id)))}
          >
            {isAllSelected ? 'Clear selection' : rows.length > 1 ? `Select all ${rows.length}` : 'Select all'}
          </Button>
          {canSelectAll(search) && selected.length === 0 && (
            <Button
              size="xs"
              variant="default"
              disabled={rows.length === 0}
              onClick={() => setSelection({ search: toApiSearch(search) })}
            >
              Replay all results…
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<IconRepeat size={14} />}
            disabled={selected.length === 0}
            onClick={() => setSelection(selectionOf(selected, search))}
          >
            Replay…
          </Button>
        </div>
      </div>
      {selection !== null && <StartReplay selection={selection} close={() => setSelection(null)} />}
    </>
  )
}

/** Only for filtered searches, because no user means to replay every event. A single event is selected by its row. */
function canSelectAll(search: EventsSearch): boolean {
  return hasFilters(search) && !isEventId(search.q ?? '')
}

/**
 * Adds the filters to the selected events: a user who filters by failed deliveries does not mean the others. The service
 * applies the filters as in the search.
 */
function selectionOf(
  selected: readonly EventRow[],
  { q, hook_id, state, status, reason }: EventsSearch,
): Selection {
  const events = selected.map(({ id }) => id)
  return { events, hook_id, state, status, reason, ...(!isEventId(q ?? '') && { q }) }
}
