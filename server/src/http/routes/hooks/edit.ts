import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import type { HookTypes } from '../../../model/hook.ts'
import { filterWarnings } from '../../../model/filter/filter-warnings.ts'
import { type ApiDeps, scopedOperation } from '../../operation/operation.ts'
import { rejectUnknownType } from '../contract/params.ts'
import { applyEdit } from './apply-edit.ts'
import { filterWarningsResponse } from './filter-warnings.ts'
import { readTexts } from './names.ts'
import { readOptions } from './options.ts'
import { hasTypes, readTypes, type TypeInput } from './types.ts'
import { byId, hookParams } from './params.ts'
import { hookResponse, presentHook } from './present.ts'

export const editWebhookOperation = scopedOperation('hooks', {
  id: 'editWebhook',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Update a webhook',
  description:
    'Updates the given parameters and keeps the others. Pending deliveries use the new values: each attempt uses the current URL, method, headers and delivery options. Name and description do not affect deliveries.',
  params: byId.extend(
    z.object({ ...hookParams, request_method: hookParams.request_method.unwrap() }).partial().shape,
  ),
  response: z.object({ hook: hookResponse, filter_warnings: filterWarningsResponse }),
  errors: ['notFound', 'invalidUrl', 'invalidHeaders', 'invalidFilter', 'hookExists', 'tooManyChanges'],
  async handle(deps, { caller, input }) {
    const { db, vault, eventTypes } = deps
    const { accountId } = caller
    const { id } = input
    const catalog = eventTypes.current()
    await applyEdit(deps, caller, id, {
      ...(input.target_url !== undefined && { targetUrl: input.target_url }),
      readTypes: hasTypes(input) ? (current) => readEdited(deps, input, current) : undefined,
      ...(input.request_method !== undefined && { requestMethod: input.request_method }),
      ...(input.headers !== undefined && { headers: input.headers ?? '' }),
      ...(input.max_per_second !== undefined && { maxPerSecond: input.max_per_second }),
      texts: readTexts(input),
      options: readOptions(input),
    })
    const hook = await readHook(db, vault, accountId, id)
    return {
      hook: presentHook(hook),
      filter_warnings: filterWarnings(hook.eventFilter, hook.eventType, catalog),
    }
  },
})

function readEdited(
  { eventTypes, hookLimits }: ApiDeps,
  input: TypeInput,
  current: HookTypes,
): Partial<HookTypes> {
  const catalog = eventTypes.current()
  const types = readTypes(catalog, hookLimits, input, current)
  // A webhook can keep a removed type.
  if (types.eventType !== undefined && types.eventType !== current.eventType)
    rejectUnknownType(catalog, types.eventType)
  return types
}
