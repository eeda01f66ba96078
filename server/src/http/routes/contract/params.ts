/** Parameters of the webhook operations, for validation and the API reference. */
import { z } from 'zod'
import { eventTypes, requestMethods } from '../../../model/hook.ts'

export const targetUrl = z.string().meta({
  description: 'Endpoint URL of the webhook.',
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
      'Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive.',
  })

export const eventFilter = z.string().optional().meta({
  description:
    'Delivers only matching events. Comma-separated inbound numbers (for RCS agents), or a CEL expression after `cel:`.',
})

export const headers = z.string().optional().meta({
  description: 'Custom HTTP headers of deliveries, for example for authentication, separated by line feeds.',
})

export const id = z
  .string()
  .regex(/^[1-9]\d{0,19}$/, { error: 'must be a positive whole number' })
  .optional()
  .meta({ type: 'integer', minimum: 1, description: 'Id of the webhook.' })
