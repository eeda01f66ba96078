import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { ApiError } from '../../../model/errors.ts'
import { type DeliverableType, deliverableTypes } from '../../../model/event.ts'
import { sendTest } from '../../../delivery/send-test.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'

export const testWebhookOperation = scopedOperation('hooks', {
  id: 'testWebhook',
  group: 'Manage webhooks',
  summary: 'Send test event',
  description:
    'Sends a sample event through the normal delivery path to this webhook only, ignoring its filter. The request has the header `x-hookline-test: 1`. There is one attempt, and a failure does not affect the health of the webhook.',
  params: byId.extend({
    event_type: z
      .enum(deliverableTypes, { error: `must be one of ${deliverableTypes.join(', ')}` })
      .optional()
      .meta({
        description: 'Event type, for webhooks of type `all` only. Default: `sms_mo`.',
      }),
  }),
  response: z.object({
    event_id: z.uuid().meta({ description: 'Id of the event, to read its deliveries.' }),
  }),
  errors: ['notFound', 'hookDisabled'],
  async handle({ db, vault, publish }, { caller, input }) {
    const hook = await readHook(db, vault, caller.accountId, input.id)
    if (!hook.enabled) throw new ApiError('hookDisabled', `Webhook ${hook.id} is disabled. Enable it first.`)
    const type: DeliverableType = hook.eventType === 'all' ? (input.event_type ?? 'sms_mo') : hook.eventType
    if (input.event_type !== undefined && input.event_type !== type)
      throw new ApiError('parameterInvalid', `Webhook ${hook.id} receives events of type ${type} only.`)
    return { event_id: await sendTest({ db, publish }, caller.accountId, hook.id, type) }
  },
})
