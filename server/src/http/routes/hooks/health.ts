import { z } from 'zod'
import { readHooks } from '../../../hooks/read-hook.ts'
import { mapInSlices } from '../../../runtime/slices.ts'
import { readHealth } from '../../../stats/hook-health.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { visibleTo } from '../visible-hook.ts'
import { healthResponse, hookResponse, presentHealth, presentHook } from './present.ts'

export const readWebhookHealthOperation = scopedOperation('hooks:read', {
  id: 'readWebhookHealth',
  group: 'Manage webhooks',
  role: 'viewer',
  summary: 'Read health of all webhooks',
  description: 'Lists all webhooks of the account, oldest first, with state, message and statistics.',
  params: z.object({}),
  response: z.object({ hooks: z.array(z.object({ hook: hookResponse, health: healthResponse })) }),
  errors: [],
  isExpensive: true,
  async handle({ db, clock, vault }, { caller }) {
    const hooks = await readHooks(db, vault, caller.accountId)
    const health = await readHealth(db, caller.accountId, null)
    const now = clock.now()
    return {
      hooks: await mapInSlices(hooks, (hook) => ({
        hook: presentHook(visibleTo(caller, hook)),
        health: presentHealth(hook, health.get(hook.id), now),
      })),
    }
  },
})
