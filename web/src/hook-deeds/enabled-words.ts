/** That a webhook is enabled, and what becomes of what it held. */
import { counted } from '../words/count.ts'

const done = { deliver: 'on the way', drop: 'dropped' }

export function enabledWords(
  { id, held }: { id: number; held: keyof typeof done },
  { held: count }: { held: number },
): string {
  const rest = count === 0 ? '' : ` ${counted(count, 'held event is', 'held events are')} ${done[held]}.`
  return `Webhook ${id} is enabled.${rest}`
}
