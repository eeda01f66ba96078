/** Columns of the event tables. */
import { Checkbox } from '@mantine/core'
import type { EventsSearch } from '../../api/events.ts'
import type { DeliverySummary, EventRow } from '../../api/types.ts'
import type { Column } from '../../ui/data/data-table.tsx'
import { Mono } from '../../ui/data/mono.tsx'
import { DeliveryChips } from '../deliveries/delivery-chip.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { ListTime } from '../../ui/time/list-time.tsx'
import { eventTypeText } from '../../messages/event-types.ts'
import styles from './events.module.css'

/** Deliveries of the webhook and in the state that the search names come first. */
export function eventColumns({ hook_id: hookId, state }: EventsSearch): readonly Column<EventRow>[] {
  const isSought = (delivery: DeliverySummary): boolean =>
    (hookId === undefined || delivery.hook_id === hookId) && (state === undefined || delivery.state === state)
  return [
    { title: 'Event', kind: 'main', cell: (row) => <EventName event={row} /> },
    { title: 'Time', kind: 'aside', cell: ({ accepted_at: at }) => <ListTime at={at} /> },
    {
      title: 'From → to',
      cell: ({ from, to }) => (
        <span className={styles.numbers}>
          <bdi title={from ?? undefined}>{from ?? '–'}</bdi> → <bdi title={to ?? undefined}>{to ?? '–'}</bdi>
        </span>
      ),
    },
    {
      title: 'Deliveries',
      cell: ({ deliveries, is_routed: isRouted }) => (
        <DeliveryChips
          deliveries={deliveries}
          isSought={isSought}
          emptyText={isRouted ? 'No matching webhook' : 'Matching…'}
        />
      ),
    },
  ]
}

interface RowSelection {
  isChosen: (row: EventRow) => boolean
  toggle: (row: EventRow) => void
}

export function selectColumn({ isChosen, toggle }: RowSelection): Column<EventRow> {
  return {
    title: 'Select',
    kind: 'actions',
    cell: (row) => (
      <Checkbox
        size="xs"
        aria-label={`Select event ${row.id}`}
        checked={isChosen(row)}
        onChange={() => toggle(row)}
      />
    ),
  }
}

function EventName({ event }: { event: EventRow }) {
  const { id, type, message_id: messageId, foreign_id: foreignId, is_test: isTest } = event
  const ids = [messageId, foreignId].filter((value) => value !== null).join(' · ')
  return (
    <span className={styles.name}>
      <TextLink to="/events/$id" params={{ id }}>
        {eventTypeText(type).name}
      </TextLink>
      {isTest && <Tag>test</Tag>}
      {ids !== '' && (
        <span className={styles.ids}>
          <Mono text={ids} />
        </span>
      )}
    </span>
  )
}
