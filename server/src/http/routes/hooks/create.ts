import { z } from 'zod'
import { addHook } from '../../../hooks/create-hook.ts'
import { readHook } from '../../../hooks/read-hook.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { rejectUnknownType } from '../contract/params.ts'
import { hookParams } from './params.ts'
import { requireTypes } from './types.ts'
import { readTexts } from './names.ts'
import { readOptions } from './options.ts'
import { hookResponse, presentHook } from './present.ts'

const { target_url, request_method, ...optional } = hookParams

export const createWebhookOperation = scopedOperation('hooks', {
  id: 'createWebhook',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Create a webhook',
  description:
    'Creates an enabled webhook with all its settings. Unlike `POST /api/hooks`, rejects a webhook whose URL, type, method, filter and headers exist.',
  params: z.object({ target_url, request_method, ...z.object(optional).partial().shape }),
  response: z.object({ hook: hookResponse }),
  errors: ['invalidUrl', 'invalidHeaders', 'invalidFilter', 'hookExists', 'tooManyHooks', 'tooManyChanges'],
  takesIdempotencyKey: true,
  async handle({ db, vault, hookLimits, eventTypes, onHooksChanged }, { caller, input }) {
    const catalog = eventTypes.current()
    const types = requireTypes(catalog, hookLimits, input)
    rejectUnknownType(catalog, types.eventType)
    const { accountId } = caller
    const definition = {
      targetUrl: input.target_url,
      ...types,
      requestMethod: input.request_method,
      headers: input.headers ?? '',
    }
    const settings = {
      ...readTexts(input),
      ...readOptions(input),
      maxPerSecond: input.max_per_second ?? null,
    }
    const id = await addHook(db, vault, hookLimits, accountId, actorOf(caller), definition, settings)
    onHooksChanged(accountId)
    return { hook: presentHook(await readHook(db, vault, accountId, id)) }
  },
})
