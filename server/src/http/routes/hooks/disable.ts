import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { disableHook } from '../../../replays/enable-hook.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'
import { hookResponse, presentHook } from './present.ts'

export const disableWebhookOperation = scopedOperation('hooks', {
  id: 'disableWebhook',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Disable a webhook',
  description:
    'Stops deliveries to the webhook. Pending and new deliveries are held for up to 7 days and 100,000 events.',
  params: byId,
  response: z.object({
    hook: hookResponse,
    waiting: z.int().meta({ description: 'Pending deliveries that are now on hold.' }),
  }),
  errors: ['notFound'],
  async handle({ db, vault, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    await readHook(db, vault, accountId, input.id)
    const waiting = await disableHook(db, { accountId, hookId: input.id, actor: actorOf(caller) })
    onHooksChanged(accountId)
    return { hook: presentHook(await readHook(db, vault, accountId, input.id)), waiting }
  },
})
