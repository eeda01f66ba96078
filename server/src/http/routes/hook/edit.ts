import { z } from 'zod'
import { editHook } from '../../../hooks/edit-hook.ts'
import { readHook } from '../../../hooks/read-hook.ts'
import { retryNow } from '../../../pipeline/work/breaker.ts'
import { forgetFailures } from '../../../pipeline/work/hook-failures.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { eventType, requestMethod, targetUrl } from '../hooks/params.ts'
import { byId } from './params.ts'
import { hookAnswer, presentHook } from './present.ts'

const fastest = 10_000

const params = byId.extend({
  target_url: targetUrl.optional(),
  event_type: eventType.optional(),
  event_filter: z.string().nullable().optional().meta({ description: 'Null or empty: no filter.' }),
  request_method: requestMethod.unwrap().optional(),
  headers: z.string().nullable().optional().meta({ description: 'Null or empty: no headers.' }),
  most_per_second: z
    .int()
    .min(1)
    .max(fastest, { error: `must be a whole number from 1 to ${fastest}, or null` })
    .nullable()
    .optional()
    .meta({ description: 'Deliveries a second at most, over all workers; null: no limit.' }),
})

export const editOneHook = scopedOperation('hooks', {
  id: 'editWebhook',
  group: 'Manage webhooks',
  summary: 'Change a webhook',
  description:
    'Changes what is given and leaves the rest. Deliveries that wait follow: each attempt uses the address, method and headers of its time.',
  params,
  answer: z.object({ hook: hookAnswer }),
  failures: ['notFound', 'invalidUrl', 'invalidHeaders', 'invalidFilter', 'hookExists', 'tooManyChanges'],
  async handle({ db, vault, hookRules, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    const { id } = input
    const { hasMoved } = await editHook(db, vault, hookRules, accountId, actorOf(caller), id, {
      ...(input.target_url !== undefined && { targetUrl: input.target_url }),
      ...(input.event_type !== undefined && { eventType: input.event_type }),
      ...(input.request_method !== undefined && { requestMethod: input.request_method }),
      ...(input.event_filter !== undefined && { eventFilter: input.event_filter || null }),
      ...(input.headers !== undefined && { headers: input.headers ?? '' }),
      ...(input.most_per_second !== undefined && { mostPerSecond: input.most_per_second }),
    })
    onHooksChanged(accountId)
    // The failures were those of another receiver.
    if (hasMoved) {
      await forgetFailures(db, { accountId, hookId: id })
      await retryNow(db, { accountId, hookId: id })
    }
    return { hook: presentHook(await readHook(db, vault, accountId, id)) }
  },
})
