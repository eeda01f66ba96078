/** Responses of the contract. An id is a string in the list and a number elsewhere, and `created` has no time zone. */
import { z } from 'zod'
import { typeOfName } from '../../../model/event-part.ts'
import { type Hook, eventTypes, requestMethods } from '../../../model/hook.ts'

export const listedHook = z
  .object({
    id: z.string().meta({ description: 'Id of the webhook, here as a string.', examples: ['2045'] }),
    target_url: z.string().meta({
      description: 'Endpoint URL, exactly as registered.',
      examples: ['https://example.com/webhooks'],
    }),
    headers: z
      .string()
      .meta({ description: 'Custom headers, separated by line feeds. Empty without headers.' }),
    event_type: z.string().meta({
      description: 'Event type. `rcs` also for `rcs_mo` and `rcs_dlr`.',
      examples: [...eventTypes],
    }),
    event_filter: z.string().nullable(),
    request_method: z.enum(requestMethods),
    enabled: z.boolean(),
    created: z.string().meta({ description: 'YYYY-MM-DD HH:MM:SS', examples: ['2026-11-15 09:30:00'] }),
  })
  .meta({ id: 'Webhook' })

export const changeResponse = z.object({
  success: z.literal(true),
  code: z.null(),
  id: z
    .int32()
    .positive()
    .meta({ description: 'Id of the webhook, here as a number.', examples: [2045] }),
  error_message: z.null(),
})

export function presentHook(hook: Hook, timeZone: string): z.infer<typeof listedHook> {
  return {
    id: String(hook.id),
    target_url: hook.targetUrl,
    headers: hook.headers,
    event_type: typeOfName(hook.eventType),
    event_filter: hook.eventFilter,
    request_method: hook.requestMethod,
    enabled: hook.enabled,
    created: formatInZone(hook.createdAt, timeZone),
  }
}

export function presentChange(id: number) {
  return { success: true, code: null, id, error_message: null } as const
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a time as YYYY-MM-DD HH:MM:SS, as the Swedish locale does. Formats are cached, because creating one is slow. */
function formatInZone(at: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}
