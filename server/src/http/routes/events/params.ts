/** What events are searched by, in the names of the wire, and where a page ends. */
import { z } from 'zod'
import { Refusal } from '../../../model/errors.ts'
import { eventTypes, largestId } from '../../../model/hook.ts'
import { deliveryStates, type EventSearch } from '../../../pipeline/ledger/find-events.ts'

const longestText = 256
const text = z
  .string()
  .min(1)
  .max(longestText, { error: `can have ${longestText} characters` })
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-15T09:30:00Z' })
  .transform((given) => new Date(given))
const wholeNumber = (least: number, most: number) =>
  z.coerce
    .number({ error: `must be a number from ${least} to ${most}` })
    .int({ error: `must be a number from ${least} to ${most}` })
    .min(least, { error: `must be a number from ${least} to ${most}` })
    .max(most, { error: `must be a number from ${least} to ${most}` })
const types = eventTypes.filter((type) => type !== 'all')

export const searchParams = z.object({
  q: text
    .meta({
      description:
        'One box for all: the id of an event, a message id, a number, a foreign id or the id of a webhook, whichever it is.',
    })
    .optional(),
  message_id: text.optional(),
  number: text
    .meta({
      description: 'From or to which the message went; `+49 170 1`, `0049 170 1` and `491701` are the same.',
    })
    .optional(),
  foreign_id: text.optional(),
  type: z.enum(types, { error: `must be one of ${types.join(', ')}` }).optional(),
  hook_id: wholeNumber(1, largestId).optional(),
  state: z
    .enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` })
    .meta({
      description:
        'Of a delivery. If it was sent again the last round counts, here and for `status` and `reason`.',
    })
    .optional(),
  status: wholeNumber(100, 999)
    .meta({ description: 'An HTTP status that an attempt of a delivery was answered with.' })
    .optional(),
  reason: z
    .string()
    .regex(/^[a-z_]{1,40}$/, { error: 'is not a reason' })
    .meta({ description: 'Of an attempt or of the end of a delivery.' })
    .optional(),
  from: time.meta({ description: 'Accepted at this time or later.' }).optional(),
  to: time.meta({ description: 'Accepted before this time.' }).optional(),
})

const eventId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of an event is told by its looks; everything else is looked up as whatever it may be. */
export function searchOf(params: z.infer<typeof searchParams>): EventSearch & { eventId?: string } {
  const { q, message_id, number, foreign_id, type, hook_id, state, status, reason, from, to } = params
  const said = q?.trim()
  return {
    ...(said !== undefined &&
      said !== '' &&
      (isEventId(said) ? { eventId: said.toLowerCase() } : { text: said })),
    messageId: message_id,
    number,
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

/** From the path. What cannot be an id is the id of nothing. */
export const pathEventId = z.string().meta({ format: 'uuid', description: 'Id of the event.' })

export function isEventId(id: string): boolean {
  return eventId.test(id)
}

/** The same for an id that another account has. */
export function noSuchEvent(): Refusal {
  return new Refusal('notFound', 'There is no event with this id, or it is too old to be kept.')
}

export function writeCursor(position: string): string {
  return Buffer.from(position.replaceAll('-', ''), 'hex').toString('base64url')
}

export function readCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  if (hex.length !== 32)
    throw new Refusal('parameterInvalid', 'The parameter "cursor" is not one that was answered.')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
