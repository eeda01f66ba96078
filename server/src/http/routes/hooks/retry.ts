import { z } from 'zod'
import { retryNow, retryResults } from '../../../delivery/queue/retry-now.ts'
import { maxAttempts } from '../../../delivery/retry/retry-policy.ts'
import { readHook } from '../../../hooks/read-hook.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { hookDisabled } from './disabled.ts'
import { byId } from './params.ts'

export const retryWebhookOperation = scopedOperation('hooks', {
  id: 'retryWebhook',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Retry now',
  description:
    'Attempts pending deliveries now. If the circuit breaker is open, one delivery is sent as a probe, and the others follow if it succeeds. Otherwise up to 10,000 deliveries that wait for their next attempt are sent, except those that your server delayed with `Retry-After`. The last attempt of a delivery stays on its schedule, and so does a delivery that was attempted in the last 5 seconds.',
  params: byId,
  response: z.object({
    started: z.enum(retryResults).meta({
      description:
        '`probe`: one delivery is sent. `deliveries`: pending deliveries are sent. `scheduled`: pending deliveries keep their time: they were just attempted, wait for `Retry-After`, or have one attempt left. `in_flight`: a probe is already in flight. `stopped`: the operator has stopped sending. `nothing`: no delivery is pending.',
    }),
  }),
  errors: ['notFound', 'hookDisabled', 'tooManyChanges'],
  async handle({ db, vault }, { caller, input }) {
    const hook = await readHook(db, vault, caller.accountId, input.id)
    if (!hook.enabled) throw hookDisabled(hook.id)
    return {
      started: await retryNow(
        db,
        { accountId: caller.accountId, hookId: hook.id },
        // Time-sensitive deliveries have fewer attempts and expire in seconds anyway.
        { actor: actorOf(caller), maxAttempts: maxAttempts(false, hook.retryPolicy) },
      ),
    }
  },
})
