import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { filterWarnings } from '../../../model/filter/filter-warnings.ts'
import { readHealth, readWarnings } from '../../../stats/hook-health.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { filterWarningsResponse } from './filter-warnings.ts'
import { byId } from './params.ts'
import { visibleTo } from '../visible-hook.ts'
import { healthResponse, hookResponse, presentHealth, presentHook, timeOf } from './present.ts'

export const readWebhookOperation = scopedOperation('hooks:read', {
  id: 'readWebhook',
  group: 'Manage webhooks',
  role: 'viewer',
  summary: 'Read a webhook',
  description: 'Returns a webhook with its health and its warnings, newest first.',
  params: byId,
  response: z.object({
    hook: hookResponse,
    health: healthResponse,
    warnings: z.array(z.object({ kind: z.string(), at: z.iso.datetime() })),
    filter_warnings: filterWarningsResponse,
    secret_rotated_at: z.iso.datetime().nullable(),
  }),
  errors: ['notFound'],
  async handle({ db, clock, vault, eventTypes }, { caller, input }) {
    const { accountId } = caller
    const hook = await readHook(db, vault, accountId, input.id)
    const health = await readHealth(db, accountId, hook.id)
    const warnings = await readWarnings(db, accountId, hook.id)
    return {
      hook: presentHook(visibleTo(caller, hook)),
      health: presentHealth(hook, health.get(hook.id), clock.now()),
      warnings: warnings.map(({ kind, at }) => ({ kind, at: at.toISOString() })),
      filter_warnings: filterWarnings(hook.eventFilter, hook.eventType, eventTypes.current()),
      secret_rotated_at: timeOf(hook.secretRotatedAt),
    }
  },
})
