import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { enableHook } from '../../../replays/enable-hook.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'
import { hookResponse, presentHook } from './present.ts'

export const enableWebhookOperation = scopedOperation('hooks', {
  id: 'enableWebhook',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Enable a webhook',
  description: 'Resumes deliveries to the webhook, and delivers or drops its held events.',
  params: byId.extend({
    held: z
      .enum(['deliver', 'drop'], { error: 'must be deliver or drop' })
      .default('deliver')
      .meta({ description: 'Action for held events.' }),
  }),
  response: z.object({
    hook: hookResponse,
    held: z.int().meta({ description: 'Number of held events.' }),
    replay_id: z
      .int()
      .nullable()
      .meta({ description: 'Replay that delivers the held events. Null without held events to deliver.' }),
  }),
  errors: ['notFound', 'tooManyChanges'],
  async handle({ db, vault, hookLimits, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    await readHook(db, vault, accountId, input.id)
    const target = { accountId, hookId: input.id, actor: actorOf(caller) }
    const { held, replayId } = await enableHook(db, target, input.held, hookLimits.changes)
    onHooksChanged(accountId)
    return {
      hook: presentHook(await readHook(db, vault, accountId, input.id)),
      held,
      replay_id: replayId,
    }
  },
})
