/** Names of the settings of a webhook, within a sentence. */
import { textFor } from '../lib/text-for.ts'

export const webhookFieldText: Record<string, string> = {
  name: 'name',
  description: 'description',
  target_url: 'endpoint URL',
  event_type: 'event type',
  event_types: 'event types',
  event_filter: 'filter',
  request_method: 'format',
  headers: 'headers',
  max_per_second: 'rate limit',
  form_fields: 'form fields',
  retry_policy: 'retry policy',
  accept_header: 'Accept header',
  trace_header: 'Trace header',
  signature_url: 'signed URL',
}

export function webhookFieldTitle(field: string): string {
  return textFor(webhookFieldText, field, field).replace(/^./, (first) => first.toUpperCase())
}
