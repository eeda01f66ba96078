import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { readHealth, readWarnings } from '../../../pipeline/work/hook-health.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'
import { healthAnswer, hookAnswer, presentHealth, presentHook, timeOf } from './present.ts'

export const readOneHook = scopedOperation('hooks:read', {
  id: 'readWebhook',
  group: 'Manage webhooks',
  summary: 'Read a webhook',
  description: 'One webhook, how it is doing, and what its owner was warned of, newest first.',
  params: byId,
  answer: z.object({
    hook: hookAnswer,
    health: healthAnswer,
    warnings: z.array(z.object({ kind: z.string(), at: z.iso.datetime() })),
    secret_rotated_at: z.iso.datetime().nullable(),
  }),
  failures: ['notFound'],
  async handle({ db, clock, vault }, { caller, input }) {
    const { accountId } = caller
    const hook = await readHook(db, vault, accountId, input.id)
    const health = await readHealth(db, accountId, hook.id)
    const warnings = await readWarnings(db, accountId, hook.id)
    return {
      hook: presentHook(hook),
      health: presentHealth(hook, health.get(hook.id), clock.now()),
      warnings: warnings.map(({ kind, at }) => ({ kind, at: at.toISOString() })),
      secret_rotated_at: timeOf(hook.secretRotatedAt),
    }
  },
})
