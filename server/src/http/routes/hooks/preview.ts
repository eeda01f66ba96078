import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findProblems, validateHook } from '../../../hooks/validate-hook.ts'
import { findDuplicates } from '../../../hooks/find-duplicates.ts'
import { defaultOptions } from '../../../model/delivery-options.ts'
import { typeOfName } from '../../../model/event-part.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { filterWarningCodes, filterWarnings } from '../../../model/filter/filter-warnings.ts'
import { type HookDefinition, type RequestMethod, requestMethods } from '../../../model/hook.ts'
import { previewRequests } from '../../../delivery/request/preview-requests.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { rejectUnusedType } from '../contract/params.ts'
import { namedHookResponse, type NamedWebhook, readNames } from './names.ts'
import { position } from './filter-warnings.ts'
import { readOptions } from './options.ts'
import { hookParams } from './params.ts'
import { requireTypes, sampleTypeOf } from './types.ts'
import { createCommand, jsonCommand } from './webhook-curl.ts'

const request = z
  .object({
    method: z.enum(['GET', 'POST']),
    url: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    body: z.string(),
  })
  .meta({ id: 'RequestPreview' })

const requestOf = Object.fromEntries(requestMethods.map((method) => [method, request.nullable()])) as Record<
  RequestMethod,
  z.ZodNullable<typeof request>
>

const problem = z.object({
  field: z.enum(['target_url', 'headers', 'event_filter']),
  code: z.int().meta({ description: 'Code of the error that saving returns.' }),
  message: z.string(),
  position,
  suggestion: z.string().nullable().meta({ description: 'A value that would be accepted.' }),
})

const warning = z.object({
  code: z.enum([...filterWarningCodes, 'duplicate', 'not_encrypted']),
  field: z.enum(['target_url', 'event_filter']),
  hook_id: z.int().nullable().meta({ description: 'The other webhook of a `duplicate`.' }),
  webhook: namedHookResponse.nullable(),
  message: z.string(),
  position,
})

const { target_url, request_method, ...others } = hookParams

const params = z.object({ target_url, request_method }).extend({
  ...z.object(others).partial().shape,
  hook_id: z.int32().positive().optional().meta({ description: 'Webhook to be changed.' }),
})

export const previewWebhookOperation = scopedOperation('hooks:read', {
  id: 'previewWebhook',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Preview a webhook',
  description:
    'Validates the values of a new or changed webhook. Returns the exact requests for a sample event in every format, signed with a placeholder secret.',
  params,
  response: z.object({
    problems: z.array(problem).meta({ description: 'Errors that prevent saving.' }),
    warnings: z.array(warning).meta({ description: 'Values that are valid but probably not intended.' }),
    requests: z.object(requestOf).nullable().meta({ description: 'Null if there are problems.' }),
    curl: z.string().nullable().meta({
      description:
        'cURL command that creates the webhook, or edits the webhook `hook_id`. Null if there are problems.',
    }),
  }),
  errors: [],
  async handle({ db, clock, hookLimits, eventTypes, baseUrl }, { caller, input }) {
    const { accountId } = caller
    const catalog = eventTypes.current()
    const types = requireTypes(catalog, hookLimits, input)
    rejectUnusedType(catalog, types.eventType)
    const requested: HookDefinition = {
      targetUrl: input.target_url,
      ...types,
      requestMethod: input.request_method,
      headers: input.headers ?? '',
    }
    const problems = findProblems(hookLimits, accountId, requested)
    const duplicates = await findDuplicates(db, accountId, requested, input.hook_id)
    const names = await readNames(db, accountId, duplicates)
    const isFilterInvalid = problems.some(({ field }) => field === 'event_filter')
    const checked = isFilterInvalid ? { ...requested, eventFilter: null } : requested
    const warnings = findWarnings(catalog, checked, names.all)
    if (problems.length > 0) return { problems, warnings, requests: null, curl: null }
    const name = sampleTypeOf(types)
    const preview = {
      ...validateHook(hookLimits, accountId, requested),
      ...defaultOptions,
      ...readOptions(input),
      type: typeOfName(name),
      sample: catalog.sampleOf(name) ?? {},
      accountId,
      hookId: input.hook_id ?? 0,
    }
    return {
      problems,
      warnings,
      requests: previewRequests(preview, clock.now()),
      curl: commandFor(baseUrl, input, requested),
    }
  },
})

/** An edit sends every value that the preview got, so the result does not depend on the current values. */
function commandFor(
  baseUrl: URL,
  { hook_id: hookId, ...values }: z.infer<typeof params>,
  requested: HookDefinition,
): string {
  if (hookId !== undefined) return jsonCommand(new URL(`/api/hooks/${hookId}`, baseUrl), values)
  return isPlain(values)
    ? createCommand(baseUrl, requested)
    : jsonCommand(new URL('/api/hooks/create', baseUrl), values)
}

/** Whether `POST /api/hooks` can create the webhook: it has no settings beside its five values. */
function isPlain(values: Omit<z.infer<typeof params>, 'hook_id'>): boolean {
  const options = { ...defaultOptions, ...readOptions(values) }
  const texts = [values.name, values.description, values.max_per_second]
  return texts.every((value) => !value) && isDeepStrictEqual(options, defaultOptions)
}

type Warning = z.infer<typeof warning>

function findWarnings(
  catalog: EventCatalog,
  requested: HookDefinition,
  duplicates: readonly NamedWebhook[],
): Warning[] {
  const { targetUrl: url, eventType: type, eventFilter: filter } = requested
  return [
    ...filterWarnings(filter, type, catalog).map((found) => ({
      ...found,
      field: 'event_filter' as const,
      hook_id: null,
      webhook: null,
    })),
    ...duplicates.map((webhook) =>
      warn(
        'duplicate',
        'target_url',
        `Webhook ${webhook.id} already sends such events to this URL. Your server would receive them twice.`,
        webhook,
      ),
    ),
    ...(url.startsWith('http://')
      ? [warn('not_encrypted', 'target_url', 'Without https, requests are not encrypted.')]
      : []),
  ]
}

function warn(
  code: Warning['code'],
  field: Warning['field'],
  message: string,
  webhook: NamedWebhook | null = null,
): Warning {
  return { code, field, hook_id: webhook?.id ?? null, webhook, message, position: null }
}
