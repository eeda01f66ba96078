/** Describes values of a webhook that are valid but probably not intended. */
import type { Warning } from '../api/types.ts'
import { textFor } from '../lib/text-for.ts'
import { webhookName } from './webhook-name.ts'

export function describeWarning(warning: Warning, eventType: string, filter: string | null): string {
  const { position } = warning
  const part =
    position === null ? '' : (filter?.slice(position.index, position.index + position.length) ?? '')
  const texts: Record<Warning['code'], string> = {
    filter_without_prefix: 'This looks like an expression, but is compared with numbers as text.',
    filter_not_a_number: `“${part}” is not a number. It matches only events with exactly this text as their inbound number.`,
    filter_unknown_field: part.startsWith('event')
      ? `Events have no field ${part}. Use event.id, event.type or event.accepted_at.`
      : `Sample events of this type have no field ${part}.`,
    filter_type_mismatch: `“${part}” compares text with a number. In sample events the types differ, so the events do not match.`,
    filter_never_matches: `Events of type ${eventType} have no inbound number: this filter never matches.`,
    duplicate: `${webhookName(warning.webhook)} already sends such events to this URL. Your server would receive them twice.`,
    not_encrypted: 'Without https, requests are not encrypted.',
  }
  return textFor(texts, warning.code, 'This value is probably not intended.')
}
