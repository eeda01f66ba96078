/** Required fields of each event type. Unknown fields pass through: the gateway may send more. */
import { z } from 'zod'
import type { DeliverableType } from '../../model/event.ts'
import { dlrStatuses, rcsContentTypes, rcsStatuses } from '../../model/event-payloads.ts'
import { normalizeNumber } from '../../model/filter/event-filter.ts'

const text = z.string()
/** Ids, times and prices are strings or numbers, depending on the part of the gateway. */
const scalar = z.union([z.string(), z.number()], { error: 'must be a string or a number' })

export const eventSchemas: Record<DeliverableType, z.ZodType<Record<string, unknown>>> = {
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
  rcs: z.union(
    [
      z.looseObject({
        msg_id: scalar,
        agent_id: text,
        sender: text,
        status: z.enum(rcsStatuses),
        timestamp: scalar,
      }),
      z.looseObject({
        id: scalar,
        agent_id: text,
        sender: text,
        time: scalar,
        message_type: z.literal('RCS').optional(),
        content_type: z.enum(rcsContentTypes),
      }),
    ],
    {
      error:
        'must be a status (msg_id, agent_id, sender, status, timestamp) or a message (id, agent_id, sender, time, content_type) with valid values',
    },
  ),
}

/** Adds `message_type`, which some parts of the gateway leave out, so that every attempt has the same body. */
export function addMessageType(type: DeliverableType, data: string, fields: Record<string, unknown>): string {
  const value = messageTypeOf(type, fields)
  if (value === undefined || fields.message_type !== undefined) return data
  return `${data.slice(0, -1)},"message_type":"${value}"}`
}

function messageTypeOf(type: DeliverableType, fields: Record<string, unknown>): string | undefined {
  if (type === 'sms_mo') return 'SMS'
  return type === 'rcs' && fields.content_type !== undefined ? 'RCS' : undefined
}

/**
 * Returns the fields that events are searched by, under one name for all types. Numbers are normalized as in filters.
 */
export function searchFields(data: Record<string, unknown>) {
  return {
    messageId: firstScalar(data.id, data.msg_id, data.sms_id),
    sender: number(data.sender, data.caller, data.callerId),
    recipient: number(data.system, data.recipient, data.agent_id),
    foreignId: firstScalar(data.foreign_id),
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
