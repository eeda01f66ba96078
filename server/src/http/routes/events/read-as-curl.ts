import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { hookNotFound } from '../../../hooks/read-hook.ts'
import { isEventId } from '../../../model/event-id.ts'
import { isAllowed } from '../../../model/caller.ts'
import { ApiError } from '../../../model/errors.ts'
import { attemptReasons } from '../../../model/delivery/outcome.ts'
import { curlCommand } from '../../../events/curl-command.ts'
import { readEventRecord } from '../../../events/event-record.ts'
import { actorOf } from '../../auth/actor.ts'
import { requireReveal } from '../../auth/require-role.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { seesUrls } from '../visible-hook.ts'
import { eventNotFound, pathEventId, revealReason } from './params.ts'

export const readEventAsCurlOperation = scopedOperation('events:read', {
  id: 'readEventAsCurl',
  group: 'Events',
  role: 'support',
  summary: 'Read event as cURL command',
  description:
    'Returns the current request for this event and webhook as a cURL command, to test a receiver. The command contains unmasked event data, so the call is recorded in the audit log. It contains valid signatures with the scope `hooks` and custom headers with `hooks:read`, otherwise placeholders.',
  params: z.object({
    id: pathEventId,
    hook_id: z.int32({ error: 'must be a webhook id' }),
    reveal_reason: revealReason,
  }),
  response: z.object({ curl: z.string() }),
  errors: ['notFound'],
  async handle({ db, clock, vault }, { caller, input }) {
    requireReveal(caller, input.reveal_reason)
    const { accountId } = caller
    const event = isEventId(input.id)
      ? await readEventRecord(db, accountId, input.id.toLowerCase())
      : undefined
    if (event === undefined) throw eventNotFound()
    const visibility = {
      headers: isAllowed(caller, 'hooks:read', 'developer'),
      urls: seesUrls(caller),
      signatures: isAllowed(caller, 'hooks', 'developer'),
    }
    const curl = await curlCommand({ db, vault, now: clock.now }, event, input.hook_id, visibility)
    if (curl === undefined) throw hookNotFound(input.hook_id)
    if (typeof curl === 'string') throw new ApiError('parameterInvalid', attemptReasons[curl].text)
    await db.transaction().execute((trx) =>
      recordAudit(trx, {
        accountId,
        actor: actorOf(caller),
        action: 'event.reveal',
        subject: `event:${event.id}`,
        detail: {
          as: 'curl',
          hook_id: input.hook_id,
          ...(input.reveal_reason !== undefined && { because: input.reveal_reason }),
        },
      }),
    )
    return { curl: curl.line }
  },
})
