import { z } from 'zod'
import { filterWarning } from '../../../model/event-filter.ts'
import { registerHook } from '../../../pipeline/switch-hook.ts'
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
  failures: ['invalidUrl', 'invalidHeaders', 'invalidFilter', 'tooManyHooks', 'tooManyChanges'],
  async handle({ db, vault, hookRules, onHooksChanged }, call) {
    const given = parseParams(params, call.params)
    const filter = given.event_filter ?? null
    const { accountId } = call.caller
    const owner = { accountId, actor: actorOf(call.caller) }
    const id = await registerHook({ db, vault, rules: hookRules }, owner, {
      targetUrl: given.target_url,
      eventType: given.event_type,
      requestMethod: given.request_method,
      eventFilter: filter,
      headers: given.headers ?? '',
    })
    onHooksChanged(accountId)
    const warning = filterWarning(filter, given.event_type)
    return {
      body: presentChange(id),
      ...(warning !== undefined && { headers: { 'x-hookline-warning': warning } }),
    }
  },
})
