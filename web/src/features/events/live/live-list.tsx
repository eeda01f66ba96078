/** Events as they happen, with the state of each delivery. */
import { Button } from '@mantine/core'
import { IconBroadcast, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type EventsSearch, eventsQuery } from '../../../api/events.ts'
import { useLive } from '../../../api/live-events.ts'
import { matchesFilters } from '../../../api/live-rows.ts'
import { DataTable } from '../../../ui/data/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { plural } from '../../../lib/format-number.ts'
import { eventColumns } from '../event-columns.tsx'
import { hasFilters } from '../event-filters.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { FollowButton } from './follow-button.tsx'
import styles from './live.module.css'

const maxVisible = 200

export function LiveList({ search }: { search: EventsSearch }) {
  const { q, message_id, number, foreign_id, type } = search
  const events = useQuery(eventsQuery(search))
  // Not the results of the previous search.
  const found = events.isPlaceholderData ? undefined : events.data?.events
  const live = useLive({ q, message_id, number, foreign_id, type }, found)
  const { refetch } = events
  // After the stream is open, so that nothing between both is missed.
  const isOpen = live.state === 'open'
  useEffect(() => {
    if (isOpen) void refetch()
  }, [isOpen, refetch])
  const isFiltered = hasFilters(search)
  const matching = live.rows.filter((row) => matchesFilters(row, search))
  return (
    <>
      <ConnectionNotice state={live.state} isPaused={live.isPaused} />
      <div className={styles.bar}>
        <Button
          size="xs"
          variant={live.isPaused ? 'filled' : 'default'}
          leftSection={live.isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={live.togglePause}
        >
          {live.isPaused ? `Resume${live.buffered === 0 ? '' : ` (${live.buffered} new)`}` : 'Pause'}
        </Button>
        <Button size="xs" variant="default" disabled={live.rows.length === 0} onClick={live.clear}>
          Clear list
        </Button>
        <span className={styles.count}>
          {plural(live.seen, 'event')} received
          {matching.length > maxVisible && `, showing the newest ${maxVisible}`}
        </span>
      </div>
      <FollowButton newest={matching[0]?.id} />
      <Panel isFlush>
        <DataTable
          label="Live events"
          columns={eventColumns(search)}
          rows={matching.slice(0, maxVisible)}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={<IconBroadcast size={28} stroke={1.5} />}
              title={
                live.rows.length > 0
                  ? 'No matching events'
                  : isFiltered
                    ? 'Waiting for matching events'
                    : 'Waiting for events'
              }
            >
              {live.rows.length > 0
                ? `${plural(live.rows.length, 'event')} hidden by filters`
                : 'Events appear here as they are accepted. To see one now, send a test event to a webhook.'}
            </EmptyState>
          }
          isDense
        />
      </Panel>
    </>
  )
}
