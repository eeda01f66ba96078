/** The newest events of a webhook, with the delivery of each. */
import { IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { eventsQuery } from '../../../api/events.ts'
import type { EventRow } from '../../../api/types.ts'
import { eventTypeText } from '../../../messages/event-types.ts'
import { deliveryStateText } from '../../../messages/states.ts'
import { type Column, DataTable } from '../../../ui/data/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { ButtonLink, TextLink } from '../../../ui/layout/links.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import styles from './webhook.module.css'

const maxRows = 20

export function EventsTab({ hookId }: { hookId: number }) {
  const events = useQuery({ ...eventsQuery({ hook_id: hookId }), refetchInterval: 15_000, staleTime: 0 })
  return (
    <Panel
      title="Latest events"
      description={`The newest ${maxRows} events with a delivery to this webhook`}
      isFlush
      actions={
        <ButtonLink variant="default" to="/events" search={{ hook_id: hookId }}>
          View all events
        </ButtonLink>
      }
    >
      <DataTable
        label="Latest events"
        columns={columnsFor(hookId)}
        rows={events.data?.events.slice(0, maxRows)}
        keyOf={({ id }) => id}
        isDense
        error={events.error}
        retry={() => void events.refetch()}
        empty={
          <EmptyState icon={<IconBolt size={28} stroke={1.5} />} title="No events yet">
            Events appear here when they match the event type and filter of this webhook.
          </EmptyState>
        }
      />
    </Panel>
  )
}

function columnsFor(hookId: number): readonly Column<EventRow>[] {
  return [
    {
      title: 'Event',
      kind: 'main',
      cell: ({ id, type, is_test: isTest }) => (
        <>
          <TextLink to="/events/$id" params={{ id }}>
            {eventTypeText(type).name}
          </TextLink>{' '}
          {isTest && <Tag>test</Tag>}
        </>
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
      title: 'Delivery',
      cell: ({ deliveries }) => {
        const latest = deliveries.findLast((delivery) => delivery.hook_id === hookId)
        return latest === undefined ? '–' : <StateBadge {...deliveryStateText[latest.state]} />
      },
    },
    { title: 'Time', cell: ({ accepted_at: at }) => <RelativeTime at={at} /> },
  ]
}
