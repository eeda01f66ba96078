/** Required fields of each built-in event type. Unknown fields pass through: the gateway may send more. */
import { z } from 'zod'
import type { DeliverableType } from '../../model/event.ts'
import type { PartName } from '../../model/event-part.ts'
import { dlrStatuses, rcsContentTypes, rcsStatuses } from '../../model/event-payloads.ts'
import { normalizeNumber } from '../../model/filter/event-filter.ts'

const text = z.string()
/** Ids, times and prices are strings or numbers, depending on the part of the gateway. */
const scalar = z.union([z.string(), z.number()], { error: 'must be a string or a number' })

const rcsStatus = z.looseObject({
  msg_id: scalar,
  agent_id: text,
  sender: text,
  status: z.enum(rcsStatuses),
  timestamp: scalar,
})

const rcsMessage = z.looseObject({
  id: scalar,
  agent_id: text,
  sender: text,
  time: scalar,
  message_type: z.literal('RCS').optional(),
  content_type: z.enum(rcsContentTypes),
})

type Schema = z.ZodType<Record<string, unknown>>

/** The schemas of built-in types and of their older names. */
export const eventSchemas: Readonly<Record<DeliverableType | PartName, Schema>> = {
  sms_mo: z.looseObject({
    id: scalar,
    sender: text,
    system: text,
    text,
    time: scalar,
    message_type: z.literal('SMS').optional(),
  }),
  dlr: z.looseObject({
    msg_id: scalar,
    status: z.enum(dlrStatuses),
    timestamp: scalar,
    foreign_id: scalar.nullable().optional(),
  }),
  voice_call: z.looseObject({ id: scalar, caller: text, system: text, time: scalar }),
  voice_status: z.looseObject({
    id: scalar,
    callerId: text.optional(),
    recipient: text.optional(),
    status: text,
    timestamp: scalar,
  }),
  voice_dtmf: z.looseObject({
    id: scalar,
    callerId: text.optional(),
    recipient: text.optional(),
    system: text.optional(),
    dtmf_digit: scalar,
  }),
  tracking: z.looseObject({
    type: z.enum(['click', 'view']),
    sms_id: scalar,
    sms_label: text.nullable().optional(),
    tracking_url: text.nullable().optional(),
    final_url: text.nullable().optional(),
  }),
  wa_mo: z.looseObject({ id: scalar, sender: text, system: text, time: scalar }),
  rcs: z.union([rcsStatus, rcsMessage], {
    error:
      'must be a status (msg_id, agent_id, sender, status, timestamp) or a message (id, agent_id, sender, time, content_type) with valid values',
  }),
  rcs_mo: rcsMessage,
  rcs_dlr: rcsStatus.extend({ content_type: z.undefined({ error: 'must be absent' }).optional() }),
}

/** Adds `message_type`, which some parts of the gateway leave out, so that every attempt has the same body. */
export function addMessageType(type: string, data: string, fields: Record<string, unknown>): string {
  const value = messageTypeOf(type, fields)
  if (value === undefined || fields.message_type !== undefined) return data
  return `${data.slice(0, -1)},"message_type":"${value}"}`
}

function messageTypeOf(type: string, fields: Record<string, unknown>): string | undefined {
  if (type === 'sms_mo') return 'SMS'
  return type === 'rcs' && fields.content_type !== undefined ? 'RCS' : undefined
}

/**
 * Returns the fields that events are searched by, under one name for all types. Numbers are normalized as in filters,
 * and shown masked. Ids are shown, so only public ones count.
 */
export function searchFields(data: Record<string, unknown>, publicFields: ReadonlySet<string>) {
  const shown = (name: string): unknown => (publicFields.has(name) ? data[name] : undefined)
  return {
    messageId: firstScalar(shown('id'), shown('msg_id'), shown('sms_id')),
    sender: number(data.sender, data.caller, data.callerId),
    recipient: number(data.system, data.recipient, data.agent_id),
    foreignId: firstScalar(shown('foreign_id')),
  }
}

function number(...values: unknown[]): string | null {
  const found = firstScalar(...values)
  return found === null ? null : normalizeNumber(found)
}

const maxSearchFieldLength = 256

function firstScalar(...values: unknown[]): string | null {
  const found = values.find((value) => typeof value === 'string' || typeof value === 'number')
  return found === undefined
    ? null
    : `${found}`.slice(0, maxSearchFieldLength).replaceAll('\0', '').toWellFormed()
}
