/** Messages with notices in responses. */
import { z } from 'zod'
import { messageStates } from '../../../model/notice.ts'
import type { LastMessage } from '../../../notices/channels.ts'
import { instant } from '../fields.ts'

export const messageFields = {
  state: z.enum(messageStates).meta({
    id: 'NoticeMessageState',
    description:
      '`queued`, `sent` (accepted by the mail server or the chat service), `refused` by it, `expired` after 24 hours of failed attempts, `dropped` because it became untrue or unwanted, or `bounced`: accepted by one mail server, and refused by another one later.',
  }),
  response_code: z.int().nullable().meta({
    description: 'Response of the mail server to a failed attempt, or HTTP status of the chat service.',
  }),
  reason: z.string().nullable().meta({
    description: 'Why the last attempt failed: a code of the mail library, or the reason of an attempt.',
  }),
}

export const lastMessageResponse = z
  .object({ ...messageFields, is_test: z.boolean(), created_at: instant })
  .meta({ id: 'LastNoticeMessage' })

export function presentLastMessage(last: LastMessage): z.infer<typeof lastMessageResponse> {
  return {
    state: last.state,
    response_code: last.responseCode,
    reason: last.reason,
    is_test: last.isTest,
    created_at: last.createdAt.toISOString(),
  }
}
