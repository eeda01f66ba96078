/** Formats the toast for an enabled webhook, including its held events. */
import { plural } from '../../../lib/format-number.ts'

const outcomes = { deliver: 'queued', drop: 'dropped' }

export function enabledMessage(
  { id, held }: { id: number; held: keyof typeof outcomes },
  { held: count }: { held: number },
): string {
  const outcome = count === 0 ? '' : `, ${plural(count, 'held event')} ${outcomes[held]}`
  return `Webhook ${id} enabled${outcome}`
}
