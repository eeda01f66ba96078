/** The parameters of the webhook calls, described once for checking and for the API reference. */
import { z } from 'zod'
import { eventTypes, requestMethods } from '../../../model/hook.ts'

export const targetUrl = z.string().meta({
  description: 'Destination address of the webhook.',
  examples: ['https://example.com/webhooks'],
})

export const eventType = z
  .enum(eventTypes, { error: `must be one of ${eventTypes.join(', ')}` })
  .meta({ description: 'Event type to receive.' })

export const requestMethod = z
  .string()
  .toUpperCase()
  .pipe(z.enum(requestMethods, { error: `must be one of ${requestMethods.join(', ')}` }))
  .default('POST')
  .meta({
    enum: requestMethods,
    description:
      'How the webhook is delivered: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON payload). Any case is understood.',
  })

export const eventFilter = z.string().optional().meta({
  description:
    'The webhook is sent only if the filter applies: inbound numbers separated by commas (for RCS the agent), or an expression after `cel:`.',
})

export const headers = z.string().optional().meta({
  description:
    'HTTP headers to send with the webhook, for example for authentication. Several are separated by a line feed.',
})

export const id = z
  .string()
  .regex(/^[1-9]\d{0,19}$/, { error: 'must be a positive whole number' })
  .optional()
  .meta({ type: 'integer', minimum: 1, description: 'Id of the webhook.' })
