import { z } from 'zod'
import { deleteHook, type HookChoice } from '../../../hooks/delete-hook.ts'
import { Refusal } from '../../../model/errors.ts'
import { largestId } from '../../../model/hook.ts'
import { actorOf } from '../../actor.ts'
import { contractOperation, parseParams } from '../../operation.ts'
import { eventFilter, eventType, headers, id, requestMethod, targetUrl } from './params.ts'
import { changeAnswer, presentChange } from './present.ts'

const params = z.object({
  id,
  target_url: targetUrl.optional(),
  event_type: eventType.optional(),
  request_method: requestMethod,
  event_filter: eventFilter,
  headers,
})

export const deleteOperation = contractOperation('hooks', {
  id: 'deleteHook',
  group: 'Webhooks',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook, named by `id` or by the `target_url`, `event_type` and `request_method` it was created with.',
  params,
  answer: changeAnswer,
  failures: ['hookNotFound', 'severalHooksMatch'],
  async handle({ db, vault, onHooksChanged }, call) {
    const choice = chooseHook(parseParams(params, call.params))
    const deleted = await deleteHook(db, vault, call.caller.accountId, actorOf(call.caller), choice)
    onHooksChanged(call.caller.accountId)
    return { body: presentChange(deleted) }
  },
})

function chooseHook(given: z.infer<typeof params>): HookChoice {
  if (given.id !== undefined) {
    if (Number(given.id) > largestId)
      throw new Refusal('hookNotFound', `There is no webhook with the id ${given.id}.`)
    return { id: Number(given.id) }
  }
  const { target_url, event_type } = given
  if (target_url === undefined || event_type === undefined)
    throw new Refusal(
      'parameterMissing',
      'Send "id", or the "target_url", "event_type" and "request_method" the webhook was created with.',
    )
  return {
    targetUrl: target_url,
    eventType: event_type,
    requestMethod: given.request_method,
    eventFilter: given.event_filter,
    headers: given.headers,
  }
}
