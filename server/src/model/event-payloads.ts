/**
 * The fields and types that receivers get in `data`, as documented and published. Intake is more lenient: it keeps what
 * the gateway sends.
 */
import { z } from 'zod'
import type { DeliverableType } from './event.ts'

const text = z.string()
const unixSeconds = z.int().describe('Unix time in seconds.')
const foreignId = text.nullable().describe('The ID that the sender gave to the message.')

export const dlrStatuses = [
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

export const rcsStatuses = ['IS_TYPING', 'READ', 'DELIVERED'] as const

const rcsStatus = z.object({
  agent_id: text,
  sender: text,
  msg_id: text,
  status: z.enum(rcsStatuses),
  foreign_id: foreignId,
  timestamp: text,
})

const rcsMessage = z.object({
  id: z.int(),
  agent_id: text,
  sender: text,
  time: unixSeconds,
  message_type: z.literal('RCS'),
  foreign_id: text.optional(),
})

const rcsFile = z.object({ fileUri: text, mimeType: text, fileSizeBytes: z.int() })

const rcsMessages = [
  rcsMessage.extend({ content_type: z.literal('text'), text }),
  rcsMessage.extend({
    content_type: z.literal('suggestion_response'),
    suggestion_response: z.object({ postbackData: text, text, type: z.literal('REPLY') }),
  }),
  rcsMessage.extend({
    content_type: z.literal('user_file'),
    user_file: z.object({ payload: rcsFile.extend({ fileName: text }), thumbnail: rcsFile.optional() }),
  }),
  rcsMessage.extend({
    content_type: z.literal('location'),
    location: z.object({ latitude: z.number(), longitude: z.number() }),
  }),
] as const

export const rcsContentTypes = rcsMessages.map(({ shape }) => shape.content_type.value)

export const payloadSchemas = {
  sms_mo: z.object({
    id: text,
    sender: text,
    system: text.describe('The inbound number.'),
    text,
    time: text.describe('Unix time in seconds, as a string.'),
    message_type: z.literal('SMS'),
  }),
  wa_mo: z.looseObject({
    id: text,
    sender: text,
    system: text.describe('The inbound number.'),
    time: text.describe('Unix time in seconds, as a string.'),
  }),
  dlr: z.object({
    msg_id: text,
    status: z.enum(dlrStatuses),
    timestamp: text.describe('`YYYY-MM-DD HH:MM:SS.ffffff`'),
    foreign_id: foreignId,
  }),
  voice_call: z.object({ id: z.int(), caller: text, system: text, time: unixSeconds }),
  voice_status: z.object({
    id: text,
    callerId: text,
    recipient: text,
    duration: text.describe('Seconds, as a string.'),
    pricePerMinute: z.number(),
    status: text,
    timestamp: unixSeconds,
  }),
  voice_dtmf: z.object({
    id: z.int(),
    callerId: text,
    recipient: text,
    system: text,
    dtmf_digit: z.int(),
    duration: z.int().describe('Seconds.'),
    pricePerMinute: z.number(),
    total_price: z.number(),
    status: text,
    timestamp: unixSeconds,
  }),
  tracking: z.object({
    type: z.enum(['click', 'view']),
    sms_id: text,
    sms_label: text.nullable(),
    tracking_url: text,
    final_url: text,
    total_clicks: z.int(),
    total_views: z.int(),
  }),
  rcs: z.union([rcsStatus, ...rcsMessages]),
} satisfies Record<DeliverableType, z.ZodType<Record<string, unknown>>>

export type Payloads = { [Type in DeliverableType]: z.infer<(typeof payloadSchemas)[Type]> }
