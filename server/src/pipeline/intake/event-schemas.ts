/** What each type of event must hold. Fields we do not know pass through: the gateway may say more than we need. */
import { z } from 'zod'
import type { DeliverableType } from '../../model/event.ts'
import { comparable } from '../../model/event-filter.ts'

const text = z.string()
/** Ids, times and prices come as text or as a number, depending on the part of the gateway. */
const scalar = z.union([z.string(), z.number()])

const dlrStatuses = [
  'DELIVERED',
  'NOTDELIVERED',
  'BUFFERED',
  'TRANSMITTED',
  'ACCEPTED',
  'EXPIRED',
  'REJECTED',
  'FAILED',
  'UNKNOWN',
] as const

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
  rcs: z.union([
    z.looseObject({
      msg_id: scalar,
      agent_id: text,
      sender: text,
      status: z.enum(['IS_TYPING', 'READ', 'DELIVERED']),
      timestamp: scalar,
    }),
    z.looseObject({
      id: scalar,
      agent_id: text,
      sender: text,
      time: scalar,
      message_type: z.literal('RCS'),
      content_type: z.enum(['text', 'suggestion_response', 'user_file', 'location']),
    }),
  ]),
}

/** What people will search by, whatever it is called in each type. Numbers are kept as filters compare them. */
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
  return found === null ? null : comparable(found)
}

const longestSearchField = 256

function firstScalar(...values: unknown[]): string | null {
  const found = values.find((value) => typeof value === 'string' || typeof value === 'number')
  return found === undefined
    ? null
    : `${found}`.slice(0, longestSearchField).replaceAll('\0', '').toWellFormed()
}
