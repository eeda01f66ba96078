/** Shows events as they happen. */
import { Button } from '@mantine/core'
import { IconBroadcast, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { EventRow } from '../../../api/types.ts'
import { maxVisible, useLive } from '../../../api/live-events.ts'
import { Timestamp } from '../../../ui/time/timestamp.tsx'
import { type Column, DataTable } from '../../../ui/data/data-table.tsx'
import { DeliveryChips } from '../../deliveries/delivery-chip.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { plural } from '../../../lib/format-number.ts'
import { eventTypeText } from '../../../messages/event-types.ts'
import { finalStates } from '../../../messages/states.ts'
import { omit } from '../../../lib/omit.ts'
import { EventFilterChips } from '../event-filter-chips.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import styles from './live.module.css'

const route = getRouteApi('/app/live')

const liveFields = ['type', 'hook_id', 'state'] as const

const columns: readonly Column<EventRow>[] = [
  { title: 'Time', cell: ({ accepted_at: at }) => <Timestamp at={at} /> },
  {
    title: 'Event',
    kind: 'main',
    cell: ({ id, type, is_test: isTest }) => (
      <span className={styles.name}>
        <TextLink to="/events/$id" params={{ id }}>
          {eventTypeText(type).name}
        </TextLink>
        {isTest && <Tag>test</Tag>}
      </span>
    ),
  },
  {
    title: 'From → to',
    cell: ({ from, to }) => (
      <span className={styles.numbers}>
        <bdi>{from ?? '–'}</bdi> → <bdi>{to ?? '–'}</bdi>
      </span>
    ),
  },
  {
    title: 'Deliveries',
    cell: ({ deliveries }) => <DeliveryChips deliveries={deliveries} emptyText="No finished deliveries" />,
  },
]

export function LivePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const live = useLive()
  const isRequested = ({ type, deliveries }: EventRow) =>
    (search.type === undefined || type === search.type) &&
    matchesDelivery(deliveries, search.hook_id, search.state)
  const rows = live.rows.filter(isRequested)
  return (
    <>
      <PageHeader
        title="Live"
        description="Events and deliveries as they happen"
        actions={
          <Button
            variant={live.isPaused ? 'filled' : 'default'}
            leftSection={live.isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            onClick={live.togglePause}
          >
            {live.isPaused ? `Resume${live.buffered === 0 ? '' : ` (${live.buffered} new)`}` : 'Pause'}
          </Button>
        }
      />
      <ConnectionNotice state={live.state} isPaused={live.isPaused} />
      <div className={styles.bar}>
        <EventFilterChips
          fields={liveFields}
          states={finalStates}
          search={search}
          choose={(field, value) =>
            void navigate({
              search: (now) => (value === undefined ? omit(now, field) : { ...now, [field]: value }),
              replace: true,
            })
          }
        />
        <span className={styles.count}>
          {plural(live.seen, 'event')} received
          {live.seen > maxVisible && `, showing the newest ${maxVisible}`}
        </span>
      </div>
      {search.hook_id !== undefined && (
        <p className={styles.description}>
          Events appear once their delivery to webhook {search.hook_id} has finished. Pending deliveries are
          in{' '}
          <TextLink to="/events" search={{ hook_id: search.hook_id, state: 'waiting' }}>
            Events
          </TextLink>
          .
        </p>
      )}
      <Panel isFlush>
        <DataTable
          label="Live events"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={<IconBroadcast size={28} stroke={1.5} />}
              title={live.rows.length === 0 ? 'Waiting for events' : 'No matching events'}
            >
              {live.rows.length === 0
                ? 'Events appear here as they are accepted. To see one now, send a test event to a webhook.'
                : `${plural(live.rows.length, 'event')} hidden by filters`}
            </EmptyState>
          }
        />
      </Panel>
    </>
  )
}

function matchesDelivery(
  deliveries: EventRow['deliveries'],
  hookId: number | undefined,
  state: string | undefined,
): boolean {
  if (hookId === undefined && state === undefined) return true
  return deliveries.some(
    (delivery) =>
      (hookId === undefined || delivery.hook_id === hookId) &&
      (state === undefined || delivery.state === state),
  )
}
