import { z } from 'zod'
import { createHook } from '../../../hooks/create-hook.ts'
import { filterWarning } from '../../../model/event-filter.ts'
import { actorOf } from '../../actor.ts'
import { contractOperation, parseParams } from '../../operation.ts'
import { eventFilter, eventType, headers, requestMethod, targetUrl } from './params.ts'
import { changeAnswer, presentChange } from './present.ts'

const params = z.object({
  target_url: targetUrl,
  event_type: eventType,
  event_filter: eventFilter,
  request_method: requestMethod,
  headers,
})

export const createOperation = contractOperation('hooks', {
  id: 'createHook',
  group: 'Webhooks',
  summary: 'Register a webhook',
  description:
    'Registers a webhook, enabled from the start. The same address, type, method, filter and headers again answer with the id of the existing webhook.',
  params,
  answer: changeAnswer,
  failures: ['invalidUrl', 'invalidHeaders', 'invalidFilter', 'tooManyHooks'],
  async handle({ db, vault, hookRules, onHooksChanged }, call) {
    const given = parseParams(params, call.params)
    const filter = given.event_filter ?? null
    const id = await createHook(db, vault, hookRules, call.caller.accountId, actorOf(call.caller), {
      targetUrl: given.target_url,
      eventType: given.event_type,
      requestMethod: given.request_method,
      eventFilter: filter,
      headers: given.headers ?? '',
    })
    onHooksChanged(call.caller.accountId)
    const warning = filterWarning(filter, given.event_type)
    return {
      body: presentChange(id),
      ...(warning !== undefined && { headers: { 'x-hookline-warning': warning } }),
    }
  },
})
