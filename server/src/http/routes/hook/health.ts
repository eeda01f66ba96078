import { z } from 'zod'
import { readHooks } from '../../../hooks/read-hook.ts'
import { mapInSlices } from '../../../ops/slices.ts'
import { readHealth } from '../../../pipeline/work/hook-health.ts'
import { scopedOperation } from '../../operation.ts'
import { healthAnswer, hookAnswer, presentHealth, presentHook } from './present.ts'

export const readHookHealth = scopedOperation('hooks:read', {
  id: 'readWebhookHealth',
  group: 'Manage webhooks',
  summary: 'How all webhooks are doing',
  description:
    'Every webhook of the account, oldest first, with its state in a word, in a sentence and in figures.',
  params: z.object({}),
  answer: z.object({ hooks: z.array(z.object({ hook: hookAnswer, health: healthAnswer })) }),
  failures: [],
  isHeavy: true,
  async handle({ db, clock, vault }, { caller }) {
    const hooks = await readHooks(db, vault, caller.accountId)
    const health = await readHealth(db, caller.accountId, null)
    const now = clock.now()
    return {
      hooks: await mapInSlices(hooks, (hook) => ({
        hook: presentHook(hook),
        health: presentHealth(hook, health.get(hook.id), now),
      })),
    }
  },
})
