/** Describes values of a webhook that are valid but probably not intended. */
import type { Warning } from '../api/types.ts'
import { textFor } from '../lib/text-for.ts'
import { webhookName } from './webhook-name.ts'

export function describeWarning(warning: Warning, eventType: string): string {
  const texts: Record<Warning['code'], string> = {
    filter_never_matches: `Events of type ${eventType} have no inbound number: this filter never matches.`,
    duplicate: `${webhookName(warning.webhook)} already sends such events to this URL. Your server would receive them twice.`,
    not_encrypted: 'Without https, requests are not encrypted.',
  }
  return textFor(texts, warning.code, 'This value is probably not intended.')
}
