import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { enableHook } from '../../../pipeline/switch-hook.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'
import { hookAnswer, presentHook } from './present.ts'

export const enableOneHook = scopedOperation('hooks', {
  id: 'enableWebhook',
  group: 'Manage webhooks',
  summary: 'Enable a webhook',
  description: 'Sends to it again, and delivers or drops what was held for it meanwhile.',
  params: byId.extend({
    held: z
      .enum(['deliver', 'drop'], { error: 'must be deliver or drop' })
      .default('deliver')
      .meta({ description: 'What to do with the events that were held for it.' }),
  }),
  answer: z.object({
    hook: hookAnswer,
    held: z.int().meta({ description: 'Events that were held for it.' }),
    replay_id: z
      .int()
      .nullable()
      .meta({ description: 'The replay that delivers them; null: there is nothing to deliver.' }),
  }),
  failures: ['notFound', 'tooManyChanges'],
  async handle({ db, vault, hookRules, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    await readHook(db, vault, accountId, input.id)
    const owner = { accountId, hookId: input.id, actor: actorOf(caller) }
    const { held, replayId } = await enableHook(db, owner, input.held, hookRules.changes)
    onHooksChanged(accountId)
    return {
      hook: presentHook(await readHook(db, vault, accountId, input.id)),
      held,
      replay_id: replayId,
    }
  },
})
