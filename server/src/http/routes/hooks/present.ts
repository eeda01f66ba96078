/** The oddities of the contract: an id is text in the list and a number elsewhere, and `created` has no time zone. */
import { z } from 'zod'
import { type Hook, eventTypes, requestMethods } from '../../../model/hook.ts'

export const listedHook = z
  .object({
    id: z.string().meta({ description: 'Identifier of the webhook, here as text.', examples: ['2045'] }),
    target_url: z.string().meta({
      description: 'The address, exactly as it was registered.',
      examples: ['https://example.com/webhooks'],
    }),
    headers: z.string().meta({ description: 'Separated by line feeds; empty when there are none.' }),
    event_type: z.enum(eventTypes),
    event_filter: z.string().nullable(),
    request_method: z.enum(requestMethods),
    enabled: z.boolean(),
    created: z.string().meta({ description: 'YYYY-MM-DD HH:MM:SS', examples: ['2026-11-15 09:30:00'] }),
  })
  .meta({ id: 'Webhook' })

export const changeAnswer = z.object({
  success: z.literal(true),
  code: z.null(),
  id: z
    .int32()
    .positive()
    .meta({ description: 'Identifier of the webhook, here as a number.', examples: [2045] }),
  error_message: z.null(),
})

export function presentHook(hook: Hook, timeZone: string): z.infer<typeof listedHook> {
  return {
    id: String(hook.id),
    target_url: hook.targetUrl,
    headers: hook.headers,
    event_type: hook.eventType,
    event_filter: hook.eventFilter,
    request_method: hook.requestMethod,
    enabled: hook.enabled,
    created: inZone(hook.createdAt, timeZone),
  }
}

export function presentChange(id: number) {
  return { success: true, code: null, id, error_message: null } as const
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The Swedish locale writes dates as YYYY-MM-DD HH:MM:SS. Making a format is slow, so each is kept. */
function inZone(at: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}
