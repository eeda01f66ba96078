/** What can be done with the rows that are chosen, or with all that the search finds. */
import { Button } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type EventsSearch, wireOfSearch } from '../../api/events.ts'
import type { EventRow, Selection } from '../../api/shapes.ts'
import { StartReplay } from '../../replay/start-replay.tsx'
import { counted } from '../../words/count.ts'
import { isEventId } from '../../words/event-id.ts'
import { isNarrowed } from './event-filters.tsx'
import styles from './events.module.css'

const route = getRouteApi('/area/events')

interface SelectionBarProps {
  rows: readonly EventRow[]
  selected: readonly EventRow[]
  choose: (ids: ReadonlySet<string>) => void
}

export function SelectionBar({ rows, selected, choose }: SelectionBarProps) {
  const search = route.useSearch()
  const [selection, setSelection] = useState<Selection | null>(null)
  const isAllChosen = rows.length > 0 && selected.length === rows.length
  return (
    <>
      <div className={styles.selection}>
        <p role="status">
          {selected.length === 0
            ? 'Select events to send them again.'
            : `${counted(selected.length, 'event')} selected.`}
        </p>
        <div className={styles.selectionActions}>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            disabled={rows.length === 0}
            onClick={() => choose(isAllChosen ? new Set() : new Set(rows.map(({ id }) => id)))}
          >
            {isAllChosen ? 'Select none' : `Select all ${rows.length}`}
          </Button>
          {canSelectAll(search) && selected.length === 0 && (
            <Button
              size="xs"
              variant="default"
              disabled={rows.length === 0}
              onClick={() => setSelection({ search: wireOfSearch(search) })}
            >
              Replay all that fit…
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

/** One event is chosen by its row; the whole of everything is never meant. */
function canSelectAll(search: EventsSearch): boolean {
  return isNarrowed(search) && !isEventId(search.q ?? '')
}

/**
 * Only the deliveries that the filters are about: whoever looks at failed ones does not mean the others. Which they are,
 * the service finds as it found the events.
 */
function selectionOf(
  selected: readonly EventRow[],
  { q, hook_id, state, status, reason }: EventsSearch,
): Selection {
  const events = selected.map(({ id }) => id)
  return { events, hook_id, state, status, reason, ...(!isEventId(q ?? '') && { q }) }
}
