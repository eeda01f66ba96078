/** What became of an event at one webhook, in a chip. */
import { Tooltip } from '@mantine/core'
import type { DeliveryMark } from '../api/shapes.ts'
import { counted } from '../words/count.ts'
import { deliveryWords, reasonWords } from '../words/states.ts'
import styles from './delivery-chip.module.css'
import { shapeOf } from './state-badge.tsx'

function DeliveryChip({ of: mark }: { of: DeliveryMark }) {
  const { word, tone } = deliveryWords[mark.state]
  const Shape = shapeOf[tone]
  const more = [
    mark.reason !== null && mark.reason !== 'delivered' ? (reasonWords[mark.reason] ?? mark.reason) : '',
    mark.attempts > 0 ? `after ${counted(mark.attempts, 'attempt')}` : '',
    mark.round > 1 ? 'sent again' : '',
  ].filter((part) => part !== '')
  const words = `Webhook ${mark.hook_id}: ${word.toLowerCase()}${more.length === 0 ? '' : ` (${more.join(', ')})`}`
  return (
    <Tooltip label={words}>
      <span className={styles.chip} data-tone={tone}>
        <Shape size={13} aria-hidden="true" />
        <span className={styles.hook}>{mark.hook_id}</span>
        <span>{word}</span>
        {mark.attempts > 1 && <span className={styles.attempts}>×{mark.attempts}</span>}
      </span>
    </Tooltip>
  )
}

const mostChips = 4

interface DeliveryChipsProps {
  marks: readonly DeliveryMark[]
  /** What is said while there are none. */
  none?: string
}

/** One a webhook: of what was sent again, the last round, which comes behind the others. */
export function DeliveryChips({ marks, none = 'No webhook wanted it' }: DeliveryChipsProps) {
  const last = [...new Map(marks.map((mark) => [mark.hook_id, mark])).values()]
  if (last.length === 0) return <span className={styles.none}>{none}</span>
  return (
    <span className={styles.chips}>
      {last.slice(0, mostChips).map((mark) => (
        <DeliveryChip key={mark.hook_id} of={mark} />
      ))}
      {last.length > mostChips && <span className={styles.none}>and {last.length - mostChips} more</span>}
    </span>
  )
}
