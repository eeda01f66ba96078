/** Lists why deliveries of a replay are pending or failed, with links to the webhooks. */
import type { DeliveryReason, Replay } from '../../api/types.ts'
import { formatNumber } from '../../lib/format-number.ts'
import { textFor } from '../../lib/text-for.ts'
import { describeWaiting } from '../../messages/replays.ts'
import { reasonText } from '../../messages/states.ts'
import { TextLink } from '../../ui/layout/links.tsx'
import styles from './replays.module.css'

export function ReplayReasons({ replay: { waiting, failures } }: { replay: Replay }) {
  if (waiting.length + failures.length === 0) return null
  return (
    <ul className={styles.reasons}>
      {waiting.map((entry) => (
        <li key={entry.reason}>
          {describeWaiting(entry)}{' '}
          {entry.hook_id !== null && (
            <TextLink to="/webhooks/$id" params={{ id: String(entry.hook_id) }}>
              View webhook
            </TextLink>
          )}
        </li>
      ))}
      {failures.map(({ state, reason, count }) => (
        <li key={`${state} ${reason}`}>
          {formatNumber(count)} failed: {textFor(reasonText, reason as DeliveryReason, reason)}
        </li>
      ))}
    </ul>
  )
}
