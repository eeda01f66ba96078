/** Formats the toast for an enabled webhook, including its held events. */
import type { Hook } from '../../../api/types.ts'
import { plural } from '../../../lib/format-number.ts'
import { webhookName } from '../../../messages/webhook-name.ts'

const outcomes = { deliver: 'queued', drop: 'dropped' }

export function enabledMessage(
  { held }: { held: keyof typeof outcomes },
  { hook, held: count }: { hook: Hook; held: number },
): string {
  const outcome = count === 0 ? '' : `, ${plural(count, 'held event')} ${outcomes[held]}`
  return `${webhookName(hook)} enabled${outcome}`
}
