/** Columns of the event table. */
import { Checkbox } from '@mantine/core'
import type { EventRow } from '../../api/types.ts'
import type { Column } from '../../ui/data/data-table.tsx'
import { Mono } from '../../ui/data/mono.tsx'
import { DeliveryChips } from '../deliveries/delivery-chip.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { eventTypeText } from '../../messages/event-types.ts'
import styles from './events.module.css'

interface RowSelection {
  isChosen: (row: EventRow) => boolean
  toggle: (row: EventRow) => void
}

export function eventColumns({ isChosen, toggle }: RowSelection): readonly Column<EventRow>[] {
  return [
    {
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
    },
    { title: 'Event', kind: 'main', cell: (row) => <EventName event={row} /> },
    {
      title: 'From → to',
      cell: ({ from, to }) => (
        <span className={styles.numbers}>
          <bdi title={from ?? undefined}>{from ?? '–'}</bdi> → <bdi title={to ?? undefined}>{to ?? '–'}</bdi>
        </span>
      ),
    },
    { title: 'Deliveries', cell: ({ deliveries }) => <DeliveryChips deliveries={deliveries} /> },
    { title: 'Time', cell: ({ accepted_at: at }) => <RelativeTime at={at} /> },
  ]
}

function EventName({ event }: { event: EventRow }) {
  const { id, type, message_id: messageId, foreign_id: foreignId, is_test: isTest } = event
  const ids = [messageId, foreignId].filter((value) => value !== null).join(' · ')
  return (
    <>
      <span className={styles.name}>
        <TextLink to="/events/$id" params={{ id }}>
          {eventTypeText(type).name}
        </TextLink>
        {isTest && <Tag>test</Tag>}
      </span>
      {ids !== '' && (
        <span className={styles.ids}>
          <Mono text={ids} />
        </span>
      )}
    </>
  )
}
