import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { readHookAttempts } from '../../../events/hook-attempts.ts'
import { describeAttempts } from '../../../events/describe-attempts.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { readCursor, writeCursor } from '../events/params.ts'
import { attemptResponse, presentAttempt } from '../events/present.ts'
import { seesResponses, seesUrls } from '../visible-hook.ts'
import { byId } from './params.ts'

const eventsPerPage = 25

export const listWebhookAttemptsOperation = scopedOperation('events:read', {
  id: 'listWebhookAttempts',
  group: 'Manage webhooks',
  role: 'viewer',
  summary: 'List attempts of a webhook',
  description:
    'Lists attempts with request and response, newest first, 25 events per page. Later pages have older events. Numbers, texts and header values are masked.',
  params: byId.extend({ cursor: z.string().max(64).optional() }),
  response: z.object({ attempts: z.array(attemptResponse), next: z.string().nullable() }),
  errors: ['notFound'],
  isExpensive: true,
  async handle({ db, vault, eventTypes }, { caller, input }) {
    const { accountId } = caller
    const { id } = await readHook(db, vault, accountId, input.id)
    const before = input.cursor === undefined ? undefined : readCursor(input.cursor)
    const page = await readHookAttempts(db, accountId, id, before, eventsPerPage)
    const attempts = await describeAttempts(
      { db, vault, catalog: eventTypes.current() },
      accountId,
      page.attempts,
      {
        data: false,
        headers: false,
        urls: seesUrls(caller),
        responses: seesResponses(caller),
      },
    )
    return {
      attempts: attempts.map(presentAttempt),
      next: page.next === null ? null : writeCursor(page.next),
    }
  },
})
