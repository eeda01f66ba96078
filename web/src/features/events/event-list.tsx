/** The results of a search, page by page, with selection for replays. */
import { IconBolt, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type EventsSearch, eventsQuery } from '../../api/events.ts'
import type { EventRow } from '../../api/types.ts'
import { DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { PagesNav } from '../../ui/layout/pages-nav.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { plural } from '../../lib/format-number.ts'
import { formatDuration } from '../../lib/format-duration.ts'
import { omit } from '../../lib/omit.ts'
import { useAccess } from '../auth/use-access.ts'
import { eventColumns, selectColumn } from './event-columns.tsx'
import { hasFilters } from './event-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'

export function EventList({ search }: { search: EventsSearch }) {
  const events = useQuery(eventsQuery(search))
  const mayReplayMany = useAccess().hasRole('developer')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const rows = events.data?.events
  const next = events.data?.next ?? null
  const selected = rows?.filter(({ id }) => chosen.has(id)) ?? []
  const toggle = ({ id }: EventRow) => {
    const changed = new Set(chosen)
    if (!changed.delete(id)) changed.add(id)
    setChosen(changed)
  }
  return (
    <>
      {mayReplayMany && <SelectionBar rows={rows ?? []} selected={selected} choose={setChosen} />}
      <div data-stale={events.isPlaceholderData}>
        <Panel isFlush>
          <DataTable
            label="Events"
            columns={[
              ...(mayReplayMany ? [selectColumn({ isChosen: ({ id }) => chosen.has(id), toggle })] : []),
              ...eventColumns(search),
            ]}
            rows={rows}
            keyOf={({ id }) => id}
            error={events.error}
            retry={() => void events.refetch()}
            empty={<NoEvents hasNext={next !== null} isFiltered={hasFilters(search)} />}
            skeletonRows={20}
            isDense
          />
        </Panel>
      </div>
      <PagesNav
        label="Event pages"
        newest={
          search.cursor !== undefined && (
            <ButtonLink to="/events" search={omit(search, 'cursor')} variant="default">
              Newest
            </ButtonLink>
          )
        }
        description={
          events.data !== undefined &&
          events.data.events.length > 0 &&
          `${plural(events.data.events.length, 'event')} on this page, found in ${formatDuration(events.data.duration_ms)}`
        }
        older={
          next !== null && (
            <ButtonLink to="/events" search={{ ...search, cursor: next }} variant="default">
              Older
            </ButtonLink>
          )
        }
      />
    </>
  )
}

function NoEvents({ hasNext, isFiltered }: { hasNext: boolean; isFiltered: boolean }) {
  if (hasNext)
    return (
      <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="No results yet">
        One request searches a limited period. Continue with “Older” or narrow the time range.
      </EmptyState>
    )
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconZoomExclamation size={28} stroke={1.5} />}
        title="No matching events"
        action={
          <ButtonLink to="/events" search={{}} variant="default">
            Show all events
          </ButtonLink>
        }
      >
        Remove a filter, or search for a message ID, foreign ID, event ID, webhook ID, or a number or at least
        its last 6 digits.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconBolt size={28} stroke={1.5} />}
      title="No events yet"
      action={<ButtonLink to="/webhooks">View webhooks</ButtonLink>}
    >
      Messages and reports appear here within a second, even if no webhook matches. Test events appear too.
    </EmptyState>
  )
}
