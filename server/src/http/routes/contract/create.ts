import { z } from 'zod'
import { filterWarnings, neverMatchesWarning } from '../../../model/filter/filter-warnings.ts'
import { registerHook } from '../../../replays/enable-hook.ts'
import { actorOf } from '../../auth/actor.ts'
import { contractOperation, parseParams } from '../../operation/operation.ts'
import { eventFilter, eventType, headers, rejectUnknownType, requestMethod, targetUrl } from './params.ts'
import { changeResponse, presentChange } from './present.ts'

const params = z.object({
  target_url: targetUrl,
  event_type: eventType,
  event_filter: eventFilter,
  request_method: requestMethod,
  headers,
})

export const createHookOperation = contractOperation('hooks', {
  id: 'createHook',
  group: 'Webhooks',
  role: 'developer',
  summary: 'Register a webhook',
  description:
    'Creates an enabled webhook. If a webhook with the same URL, type, method, filter and headers exists, its id is returned.',
  params,
  response: changeResponse,
  errors: ['invalidUrl', 'invalidHeaders', 'invalidFilter', 'tooManyHooks', 'tooManyChanges'],
  async handle({ db, vault, hookLimits, eventTypes, onHooksChanged }, call) {
    const input = parseParams(params, call.params)
    const catalog = eventTypes.current()
    rejectUnknownType(catalog, input.event_type)
    const filter = input.event_filter ?? null
    const { accountId } = call.caller
    const account = { accountId, actor: actorOf(call.caller) }
    const id = await registerHook({ db, vault, rules: hookLimits }, account, {
      targetUrl: input.target_url,
      eventType: input.event_type,
      requestMethod: input.request_method,
      eventFilter: filter,
      headers: input.headers ?? '',
    })
    onHooksChanged(accountId)
    const warning = neverMatchesWarning(filterWarnings(filter, input.event_type, catalog))
    return {
      body: presentChange(id),
      ...(warning !== undefined && { headers: { 'x-hookline-warning': warning } }),
    }
  },
})
