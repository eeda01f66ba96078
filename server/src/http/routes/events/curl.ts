import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { noSuchHook } from '../../../hooks/read-hook.ts'
import { grants } from '../../../model/caller.ts'
import { Refusal } from '../../../model/errors.ts'
import { reasons } from '../../../model/outcome.ts'
import { curlLine } from '../../../pipeline/curl-line.ts'
import { readEventRecord } from '../../../pipeline/ledger/event-record.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { isEventId, noSuchEvent, pathEventId } from './params.ts'

export const curlOfEvent = scopedOperation('events:read', {
  id: 'readEventAsCurl',
  group: 'Events',
  summary: 'An event as a curl line',
  description:
    "What would be sent for this event to a webhook now, to try a receiver by hand. It holds the event's data as it is, so it is written to the audit log. With the scope `hooks` it carries valid signatures, with `hooks:read` the webhook's headers; otherwise names stand in their place.",
  params: z.object({ id: pathEventId, hook_id: z.int32({ error: 'must be the id of a webhook' }) }),
  answer: z.object({ curl: z.string() }),
  failures: ['notFound'],
  async handle({ db, clock, vault }, { caller, input }) {
    const { accountId } = caller
    const event = isEventId(input.id)
      ? await readEventRecord(db, accountId, input.id.toLowerCase())
      : undefined
    if (event === undefined) throw noSuchEvent()
    const may = {
      headers: grants(caller.scopes, 'hooks:read'),
      signatures: grants(caller.scopes, 'hooks'),
    }
    const curl = await curlLine({ db, vault, now: clock.now }, event, input.hook_id, may)
    if (curl === undefined) throw noSuchHook(input.hook_id)
    if (typeof curl === 'string') throw new Refusal('parameterInvalid', reasons[curl].text)
    await db.transaction().execute((trx) =>
      recordAudit(trx, {
        accountId,
        actor: actorOf(caller),
        action: 'event.reveal',
        subject: `event:${event.id}`,
        detail: { as: 'curl', hook_id: input.hook_id },
      }),
    )
    return { curl: curl.line }
  },
})
