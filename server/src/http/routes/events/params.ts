/** Parameters of event searches, and page cursors. */
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { readCountry } from '../../../identity/accounts/accounts.ts'
import { ApiError } from '../../../model/errors.ts'
import { isEventId } from '../../../model/event-id.ts'
import { deliveryReasonNames } from '../../../model/delivery/reasons.ts'
import { deliverableTypes } from '../../../model/event.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { maxId } from '../../../model/hook.ts'
import { unknownType } from '../contract/params.ts'
import { deliveryStates, type EventSearch } from '../../../events/search-events.ts'

const maxText = 256
const text = z
  .string()
  .min(1)
  .max(maxText, { error: `can have at most ${maxText} characters` })
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-15T09:30:00Z' })
  .transform((input) => new Date(input))
const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a number from ${min} to ${max}` })
    .int({ error: `must be a number from ${min} to ${max}` })
    .min(min, { error: `must be a number from ${min} to ${max}` })
    .max(max, { error: `must be a number from ${min} to ${max}` })

export const searchParams = z.object({
  q: text
    .meta({
      description: 'Free search: an event id, message id, number, foreign id or webhook id.',
    })
    .optional(),
  message_id: text.optional(),
  number: text
    .meta({
      description:
        'Sender or recipient: international (`+49 170 1234567`, `0049 1701234567` or `491701234567`), in the national form of the default country of the account (`0170 1234567`), or the last 6 or more digits (`234567`).',
    })
    .optional(),
  foreign_id: text.optional(),
  type: z.string().meta({ description: 'Event type.', examples: deliverableTypes }).optional(),
  hook_id: wholeNumber(1, maxId).optional(),
  state: z
    .enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` })
    .meta({
      description:
        'State of a delivery. For replayed deliveries, `state`, `status` and `reason` refer to the latest round.',
    })
    .optional(),
  status: wholeNumber(100, 999)
    .meta({ description: 'HTTP status of the response to an attempt.' })
    .optional(),
  reason: z
    .enum(deliveryReasonNames, { error: 'is not a reason of attempts or deliveries' })
    .meta({ description: 'Reason of an attempt or of a finished delivery.' })
    .optional(),
  from: time.meta({ description: 'Only events accepted at this time or later.' }).optional(),
  to: time.meta({ description: 'Only events accepted before this time.' }).optional(),
})

/** Parameters that an event itself meets or not, whatever its deliveries. */
export const eventParams = searchParams.pick({
  q: true,
  message_id: true,
  number: true,
  foreign_id: true,
  type: true,
})

/** Converts parameters to a search. An event id is recognized by its format, other text is searched in all id fields. */
export async function searchOf(
  { db, catalog }: { db: Database; catalog: EventCatalog },
  accountId: number,
  params: Partial<z.infer<typeof searchParams>>,
): Promise<EventSearch & { eventId?: string }> {
  const { q, message_id, number, foreign_id, type, hook_id, state, status, reason, from, to } = params
  if (type !== undefined && !catalog.isEventType(type)) throw unknownType('type', catalog.types)
  const term = q?.trim()
  const country = term === undefined && number === undefined ? undefined : await readCountry(db, accountId)
  return {
    ...(term !== undefined &&
      term !== '' &&
      (isEventId(term) ? { eventId: term.toLowerCase() } : { text: term })),
    messageId: message_id,
    number,
    country,
    foreignId: foreign_id,
    type,
    hookId: hook_id,
    state,
    status,
    reason,
    from,
    to,
  }
}

export const revealParam = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((input) => input === true || input === 'true')
  .default(false)
  .meta({ type: 'boolean' })

export const revealReason = z
  .string()
  .trim()
  .min(1)
  .max(200, { error: 'can have at most 200 characters' })
  .optional()
  .meta({
    description:
      'Why personal data is revealed, for the audit log. Required for members with a role below developer.',
  })

/** Path parameter. An invalid id results in "not found". */
export const pathEventId = z.string().meta({ format: 'uuid', description: 'Id of the event.' })

/** Also used for ids of other accounts. */
export function eventNotFound(): ApiError {
  return new ApiError('notFound', 'Event not found. It may be older than the retention period.')
}

export function writeCursor(position: string): string {
  return Buffer.from(position.replaceAll('-', ''), 'hex').toString('base64url')
}

export function readCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  if (hex.length !== 32)
    throw new ApiError(
      'parameterInvalid',
      'The parameter "cursor" is not valid. Use `next` of a previous response.',
    )
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
