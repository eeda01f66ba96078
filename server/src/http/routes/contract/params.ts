/** Parameters of the webhook operations, for validation and the API reference. */
import { z } from 'zod'
import { ApiError } from '../../../model/errors.ts'
import { partNames } from '../../../model/event-part.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { eventTypes, requestMethods } from '../../../model/hook.ts'

export const targetUrl = z.string().meta({
  description: 'Endpoint URL of the webhook.',
  examples: ['https://example.com/webhooks'],
})

export const eventType = z.string().meta({
  description:
    'Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.',
  examples: [...eventTypes, ...partNames],
})

/** Rejects a name that a webhook cannot be registered with. */
export function rejectUnknownType({ hookTypes }: EventCatalog, name: string): void {
  if (!hookTypes.includes(name)) throw unknownType('event_type', hookTypes)
}

/** Rejects a name that no webhook can have. Webhooks of removed types still exist. */
export function rejectUnusedType({ hookTypes, isHookType }: EventCatalog, name: string): void {
  if (!isHookType(name)) throw unknownType('event_type', hookTypes)
}

export function unknownType(field: string, allowed: readonly string[]): ApiError {
  const message = `The parameter "${field}" must be one of ${allowed.join(', ')}.`
  return new ApiError('parameterInvalid', message, { field, details: { allowed: [...allowed] } })
}

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
