/**
 * The fields and types that receivers get in `data`, as documented and published. Intake is more lenient: it keeps what
 * the gateway sends.
 */
import { z } from 'zod'
import type { DeliverableType } from './event.ts'

const text = z.string()
const unixSeconds = z.int().describe('Unix time in seconds.')
const foreignId = text.nullable().describe('The ID that the sender gave to the message.')
const messageId = text.describe('ID of the message.')
const sentMessageId = text.describe('ID of the sent message.')
const senderNumber = text.describe('Number of the sender.')
const inboundNumber = text.describe('The inbound number.')
const agentId = text.describe('ID of the RCS agent.')
const callerNumber = text.describe('Number of the caller.')
const recipientNumber = text.describe('Number of the recipient.')
const callStatus = text.describe('Status of the call.')
const pricePerMinute = z.number().describe('Price of a minute.')

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

const rcsStatus = z
  .object({
    agent_id: agentId,
    sender: senderNumber,
    msg_id: sentMessageId,
    status: z.enum(rcsStatuses),
    foreign_id: foreignId,
    timestamp: text.describe('Time of the status.'),
  })
  .meta({ title: 'Status' })

const rcsMessage = z.object({
  id: z.int().describe('ID of the message.'),
  agent_id: agentId,
  sender: senderNumber,
  time: unixSeconds,
  message_type: z.literal('RCS'),
  foreign_id: text.optional().describe('The ID that the sender gave to the message.'),
})

const rcsFile = z.object({ fileUri: text, mimeType: text, fileSizeBytes: z.int() })

const rcsMessages = [
  rcsMessage.extend({
    content_type: z.literal('text'),
    text: text.describe('Text of the message.'),
  }),
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
    id: messageId,
    sender: senderNumber,
    system: inboundNumber,
    text: text.describe('Text of the message.'),
    time: text.describe('Unix time in seconds, as a string.'),
    message_type: z.literal('SMS'),
  }),
  wa_mo: z.looseObject({
    id: messageId,
    sender: senderNumber,
    system: inboundNumber,
    time: text.describe('Unix time in seconds, as a string.'),
  }),
  dlr: z.object({
    msg_id: sentMessageId,
    status: z.enum(dlrStatuses),
    timestamp: text.describe('Time of the status, as YYYY-MM-DD HH:MM:SS.ffffff.'),
    foreign_id: foreignId,
  }),
  voice_call: z.object({
    id: z.int().describe('ID of the call.'),
    caller: callerNumber,
    system: inboundNumber,
    time: unixSeconds,
  }),
  voice_status: z.object({
    id: text.describe('ID of the call.'),
    callerId: callerNumber,
    recipient: recipientNumber,
    duration: text.describe('Seconds, as a string.'),
    pricePerMinute,
    status: callStatus,
    timestamp: unixSeconds,
  }),
  voice_dtmf: z.object({
    id: z.int().describe('ID of the call.'),
    callerId: callerNumber,
    recipient: recipientNumber,
    system: inboundNumber,
    dtmf_digit: z.int().describe('The pressed key.'),
    duration: z.int().describe('Seconds.'),
    pricePerMinute,
    total_price: z.number().describe('Price of the call so far.'),
    status: callStatus,
    timestamp: unixSeconds,
  }),
  tracking: z.object({
    type: z.enum(['click', 'view']),
    sms_id: sentMessageId,
    sms_label: text.nullable().describe('Label of the sent message.'),
    tracking_url: text.describe('URL in the message.'),
    final_url: text.describe('URL that the tracking URL leads to.'),
    total_clicks: z.int().describe('Clicks so far.'),
    total_views: z.int().describe('Views so far.'),
  }),
  rcs: z.union([rcsStatus, ...rcsMessages]),
} satisfies Record<DeliverableType, z.ZodType<Record<string, unknown>>>

export type Payloads = { [Type in DeliverableType]: z.infer<(typeof payloadSchemas)[Type]> }
