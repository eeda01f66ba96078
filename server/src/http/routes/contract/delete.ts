import { z } from 'zod'
import { deleteHook, type HookChoice } from '../../../hooks/delete-hook.ts'
import { ApiError } from '../../../model/errors.ts'
import { maxId } from '../../../model/hook.ts'
import { actorOf } from '../../auth/actor.ts'
import { contractOperation, parseParams } from '../../operation/operation.ts'
import { eventFilter, eventType, headers, id, rejectUnusedType, requestMethod, targetUrl } from './params.ts'
import { changeResponse, presentChange } from './present.ts'

const params = z.object({
  id,
  target_url: targetUrl.optional(),
  event_type: eventType.optional(),
  request_method: requestMethod,
  event_filter: eventFilter,
  headers,
})

export const deleteHookOperation = contractOperation('hooks', {
  id: 'deleteHook',
  group: 'Webhooks',
  role: 'developer',
  summary: 'Delete a webhook',
  description:
    'Deletes the webhook with this `id`, or the webhook created with these `target_url`, `event_type` and `request_method`.',
  params,
  response: changeResponse,
  errors: ['hookNotFound', 'ambiguousHook'],
  async handle({ db, vault, eventTypes, onHooksChanged }, call) {
    const input = parseParams(params, call.params)
    if (input.event_type !== undefined) rejectUnusedType(eventTypes.current(), input.event_type)
    const choice = chooseHook(input)
    const deleted = await deleteHook(db, vault, call.caller.accountId, actorOf(call.caller), choice)
    onHooksChanged(call.caller.accountId)
    return { body: presentChange(deleted) }
  },
})

function chooseHook(input: z.infer<typeof params>): HookChoice {
  if (input.id !== undefined) {
    if (Number(input.id) > maxId)
      throw new ApiError('hookNotFound', `There is no webhook with the id ${input.id}.`)
    return { id: Number(input.id) }
  }
  const { target_url, event_type } = input
  if (target_url === undefined || event_type === undefined)
    throw new ApiError(
      'parameterMissing',
      'Send "id", or the "target_url", "event_type" and "request_method" the webhook was created with.',
    )
  return {
    targetUrl: target_url,
    eventType: event_type,
    requestMethod: input.request_method,
    eventFilter: input.event_filter,
    headers: input.headers,
  }
}
