import { z } from 'zod'
import { retryNow, retryResults } from '../../../delivery/queue/retry-now.ts'
import { readHook } from '../../../hooks/read-hook.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { hookDisabled } from './disabled.ts'
import { byId } from './params.ts'

export const retryWebhookOperation = scopedOperation('hooks', {
  id: 'retryWebhook',
  group: 'Manage webhooks',
  summary: 'Retry now',
  description:
    'Attempts pending deliveries now. If the circuit breaker is open, one delivery is sent as a probe, and the others follow if it succeeds. Otherwise all deliveries that wait for their next attempt are sent with a slow start, except those that your server delayed with `Retry-After`.',
  params: byId,
  response: z.object({
    started: z.enum(retryResults).meta({
      description:
        '`probe`: one delivery is sent. `deliveries`: pending deliveries are sent. `in_flight`: a probe is already in flight. `stopped`: the operator has stopped sending. `nothing`: no delivery is pending.',
    }),
  }),
  errors: ['notFound', 'hookDisabled'],
  async handle({ db, vault }, { caller, input }) {
    const hook = await readHook(db, vault, caller.accountId, input.id)
    if (!hook.enabled) throw hookDisabled(hook.id)
    return { started: await retryNow(db, { accountId: caller.accountId, hookId: hook.id }) }
  },
})
