/** Shows the delivery state per webhook as chips. */
import { Tooltip } from '@mantine/core'
import type { DeliverySummary } from '../../api/types.ts'
import { plural } from '../../lib/format-number.ts'
import { textFor } from '../../lib/text-for.ts'
import { deliveryStateText, reasonText } from '../../messages/states.ts'
import { webhookName } from '../../messages/webhook-name.ts'
import styles from './delivery-chip.module.css'
import { toneIcons } from '../../ui/feedback/state-badge.tsx'

function DeliveryChip({ delivery }: { delivery: DeliverySummary }) {
  const { webhook, reason, attempts, round } = delivery
  const { label: state, tone } = deliveryStateText[delivery.state]
  const Shape = toneIcons[tone]
  const notes = [
    reason !== null && reason !== 'delivered' ? textFor(reasonText, reason, '') : '',
    attempts > 0 ? `after ${plural(attempts, 'attempt')}` : '',
    round > 1 ? `replay ${round - 1}` : '',
  ].filter((part) => part !== '')
  const name = webhookName(webhook)
  const label = `${name}: ${state.toLowerCase()}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
  return (
    <Tooltip label={label}>
      <span className={styles.chip} data-tone={tone}>
        <Shape size={13} aria-hidden="true" />
        <bdi className={styles.webhook}>{name}</bdi>
        <span {...(delivery.state === 'delivered' && { className: styles.visuallyHidden })}>{state}</span>
        {attempts > 1 && <span className={styles.attempts}>×{attempts}</span>}
      </span>
    </Tooltip>
  )
}

const maxChips = 2

interface DeliveryChipsProps {
  deliveries: readonly DeliverySummary[]
  /** Whether the user looks for this delivery: then its chip comes first. */
  isSought: (delivery: DeliverySummary) => boolean
  /** Shown without deliveries. */
  emptyText: string
}

/** Shows one chip per webhook with its latest round, which follows earlier rounds in the list. Problems come first. */
export function DeliveryChips({ deliveries, isSought, emptyText }: DeliveryChipsProps) {
  const latest = [...new Map(deliveries.map((delivery) => [delivery.hook_id, delivery])).values()]
  if (latest.length === 0) return <span className={styles.empty}>{emptyText}</span>
  const rank = (delivery: DeliverySummary): number =>
    (isSought(delivery) ? 0 : 2) + (delivery.state === 'delivered' ? 1 : 0)
  const shown = latest.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxChips)
  return (
    <span className={styles.chips}>
      {shown.map((delivery) => (
        <DeliveryChip key={delivery.hook_id} delivery={delivery} />
      ))}
      {latest.length > maxChips && <span className={styles.more}>+{latest.length - maxChips}</span>}
    </span>
  )
}
