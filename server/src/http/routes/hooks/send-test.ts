import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { ApiError } from '../../../model/errors.ts'
import { typeOfName } from '../../../model/event-part.ts'
import { sendTest } from '../../../delivery/send-test.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { unknownType } from '../contract/params.ts'
import { hookDisabled } from './disabled.ts'
import { byId } from './params.ts'
import { readTestEvent, testDataParam } from './test-event.ts'
import { sampleTypeOf } from './types.ts'

export const testWebhookOperation = scopedOperation('hooks', {
  id: 'testWebhook',
  group: 'Manage webhooks',
  role: 'support',
  summary: 'Send test event',
  description:
    'Sends a sample event through the normal delivery path to this webhook only, ignoring its filter. The request has the header `x-hookline-test: 1`. There is one attempt, and a failure does not affect the health of the webhook. While the circuit breaker is open, test events are still sent, one at a time, and a success closes the breaker.',
  params: byId.extend({
    event_type: z.string().optional().meta({
      description:
        'Event type, for webhooks of type `all` only. Default: the first of its chosen types, or `sms_mo`.',
    }),
    data: testDataParam,
  }),
  response: z.object({
    event_id: z.uuid().meta({ description: 'Id of the event, to read its deliveries.' }),
  }),
  errors: ['notFound', 'hookDisabled', 'testInFlight', 'tooManyChanges'],
  takesIdempotencyKey: true,
  storesEvents: true,
  async handle({ db, vault, eventTypes, onCommitted }, { caller, input }) {
    const catalog = eventTypes.current()
    if (input.event_type !== undefined && !catalog.types.includes(input.event_type))
      throw unknownType('event_type', catalog.types)
    const hook = await readHook(db, vault, caller.accountId, input.id)
    if (!hook.enabled) throw hookDisabled(hook.id)
    const name = hook.eventType === 'all' ? (input.event_type ?? sampleTypeOf(hook)) : hook.eventType
    const type = typeOfName(name)
    if (input.event_type !== undefined && input.event_type !== type)
      throw new ApiError('parameterInvalid', `Webhook ${hook.id} receives events of type ${name} only.`)
    const event = await readTestEvent({ db, catalog }, caller.accountId, name, input.data)
    return { event_id: await sendTest({ db, onCommitted }, hook.id, event) }
  },
})
