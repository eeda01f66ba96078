import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { Refusal } from '../../../model/errors.ts'
import { type DeliverableType, deliverableTypes } from '../../../model/event.ts'
import { sendTest } from '../../../pipeline/test-event.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'

export const testOneHook = scopedOperation('hooks', {
  id: 'testWebhook',
  group: 'Manage webhooks',
  summary: 'Send a test to a webhook',
  description:
    'A sample event goes the way of every event, to this webhook alone, whatever its filter, with the header `x-hookline-test: 1`. It is attempted once, and when it fails that does not count against the webhook.',
  params: byId.extend({
    event_type: z
      .enum(deliverableTypes, { error: `must be one of ${deliverableTypes.join(', ')}` })
      .optional()
      .meta({
        description: 'Of which type; only a webhook of type `all` has the choice. Default: `sms_mo`.',
      }),
  }),
  answer: z.object({
    event_id: z.uuid().meta({ description: 'Under this id it can be seen what became of it.' }),
  }),
  failures: ['notFound', 'hookDisabled'],
  async handle({ db, vault, announce }, { caller, input }) {
    const hook = await readHook(db, vault, caller.accountId, input.id)
    if (!hook.enabled) throw new Refusal('hookDisabled', `Webhook ${hook.id} is disabled. Enable it first.`)
    const own: DeliverableType = hook.eventType === 'all' ? (input.event_type ?? 'sms_mo') : hook.eventType
    if (input.event_type !== undefined && input.event_type !== own)
      throw new Refusal('parameterInvalid', `Webhook ${hook.id} receives events of type ${own} only.`)
    return { event_id: await sendTest({ db, announce }, caller.accountId, hook.id, own) }
  },
})
