/** An event as a row. */
import { Checkbox } from '@mantine/core'
import type { EventRow } from '../../api/shapes.ts'
import type { Column } from '../../parts/data-table.tsx'
import { DeliveryChips } from '../../parts/delivery-chip.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { typeWords } from '../../words/event-types.ts'
import styles from './events.module.css'

interface Chosen {
  isChosen: (row: EventRow) => boolean
  toggle: (row: EventRow) => void
}

export function eventColumns({ isChosen, toggle }: Chosen): readonly Column<EventRow>[] {
  return [
    {
      title: 'Select',
      kind: 'actions',
      cell: (row) => (
        <Checkbox
          size="xs"
          aria-label={`Select the event ${row.id}`}
          checked={isChosen(row)}
          onChange={() => toggle(row)}
        />
      ),
    },
    { title: 'Event', kind: 'main', cell: (row) => <EventName of={row} /> },
    {
      title: 'From → to',
      cell: ({ from, to }) => (
        <span className={styles.numbers}>
          <bdi>{from ?? '–'}</bdi> → <bdi>{to ?? '–'}</bdi>
        </span>
      ),
    },
    { title: 'What became of it', cell: ({ deliveries }) => <DeliveryChips marks={deliveries} /> },
    { title: 'When', cell: ({ accepted_at: at }) => <Time at={at} /> },
  ]
}

function EventName({ of: row }: { of: EventRow }) {
  const { id, type, message_id: messageId, foreign_id: foreignId, is_test: isTest } = row
  const known = [messageId, foreignId].filter((one) => one !== null).join(' · ')
  return (
    <>
      <span className={styles.name}>
        <TextLink to="/events/$id" params={{ id }}>
          {typeWords(type).name}
        </TextLink>
        {isTest && <Tag>test</Tag>}
      </span>
      {known !== '' && (
        <span className={styles.known} title={known}>
          <bdi>{known}</bdi>
        </span>
      )}
    </>
  )
}
