import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { readHookAttempts } from '../../../pipeline/ledger/hook-attempts.ts'
import { showAttempts } from '../../../pipeline/show-attempts.ts'
import { scopedOperation } from '../../operation.ts'
import { readCursor, writeCursor } from '../events/params.ts'
import { attemptAnswer, presentAttempt } from '../events/present.ts'
import { byId } from './params.ts'

const eventsAPage = 25

export const listHookAttempts = scopedOperation('events:read', {
  id: 'listWebhookAttempts',
  group: 'Manage webhooks',
  summary: 'Attempts at a webhook',
  description:
    'What was sent and answered, for the newest events first, 25 events a page. Numbers, texts and header values are masked.',
  params: byId.extend({ cursor: z.string().max(64).optional() }),
  answer: z.object({ attempts: z.array(attemptAnswer), next: z.string().nullable() }),
  failures: ['notFound'],
  isHeavy: true,
  async handle({ db, vault }, { caller, input }) {
    const { accountId } = caller
    const { id } = await readHook(db, vault, accountId, input.id)
    const before = input.cursor === undefined ? undefined : readCursor(input.cursor)
    const page = await readHookAttempts(db, accountId, id, before, eventsAPage)
    const shown = await showAttempts({ db, vault }, accountId, page.attempts, { data: false, headers: false })
    return {
      attempts: shown.map(presentAttempt),
      next: page.next === null ? null : writeCursor(page.next),
    }
  },
})
