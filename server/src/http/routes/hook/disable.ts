import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { disableHook } from '../../../pipeline/switch-hook.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'
import { hookAnswer, presentHook } from './present.ts'

export const disableOneHook = scopedOperation('hooks', {
  id: 'disableWebhook',
  group: 'Manage webhooks',
  summary: 'Disable a webhook',
  description:
    'Nothing is sent to it from then on. What waits for it and what it would have received is held for up to 7 days and 100,000 events.',
  params: byId,
  answer: z.object({
    hook: hookAnswer,
    waiting: z.int().meta({ description: 'Deliveries that were waiting and are held now.' }),
  }),
  failures: ['notFound'],
  async handle({ db, vault, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    await readHook(db, vault, accountId, input.id)
    const waiting = await disableHook(db, { accountId, hookId: input.id, actor: actorOf(caller) })
    onHooksChanged(accountId)
    return { hook: presentHook(await readHook(db, vault, accountId, input.id)), waiting }
  },
})
