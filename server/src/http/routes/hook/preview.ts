import { z } from 'zod'
import { findProblems, judgeHook } from '../../../hooks/judge-hook.ts'
import { type HookDetails, readHooks } from '../../../hooks/read-hook.ts'
import { filterWarning } from '../../../model/event-filter.ts'
import type { HookDefinition } from '../../../model/hook.ts'
import { previewRequests } from '../../../pipeline/preview.ts'
import { scopedOperation } from '../../operation.ts'
import { eventType, requestMethod, targetUrl } from '../hooks/params.ts'
import { registrationLine } from './curl.ts'

const request = z
  .object({
    method: z.enum(['GET', 'POST']),
    url: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    body: z.string(),
  })
  .meta({ id: 'ShownRequest' })

const remark = z.object({ field: z.string(), message: z.string() })

export const previewHook = scopedOperation('hooks:read', {
  id: 'previewWebhook',
  group: 'Manage webhooks',
  summary: 'See what a webhook would get',
  description:
    'Judges the values of a webhook that does not exist yet, or of a change, and shows the requests for a sample event in all three formats, byte for byte; only the signatures are made with a placeholder.',
  params: z.object({
    target_url: targetUrl,
    event_type: eventType,
    request_method: requestMethod,
    event_filter: z.string().nullable().optional(),
    headers: z.string().nullable().optional(),
    hook_id: z.int32().positive().optional().meta({ description: 'The webhook that would be changed.' }),
  }),
  answer: z.object({
    problems: z.array(remark).meta({ description: 'What keeps it from being saved.' }),
    warnings: z.array(remark).meta({ description: 'What can be saved but is probably not meant.' }),
    requests: z
      .object({ POST: request.nullable(), GET: request.nullable(), JSON: request.nullable() })
      .nullable()
      .meta({ description: 'Null while address or headers have a problem.' }),
    curl: z
      .string()
      .nullable()
      .meta({ description: 'The call that registers it; null while it has a problem.' }),
  }),
  failures: [],
  async handle({ db, clock, vault, hookRules, baseUrl }, { caller, input }) {
    const { accountId } = caller
    const wanted: HookDefinition = {
      targetUrl: input.target_url,
      eventType: input.event_type,
      requestMethod: input.request_method,
      eventFilter: input.event_filter || null,
      headers: input.headers ?? '',
    }
    const problems = findProblems(hookRules, wanted)
    const others = (await readHooks(db, vault, accountId)).filter(({ id }) => id !== input.hook_id)
    const warnings = findWarnings(wanted, others)
    if (problems.length > 0) return { problems, warnings, requests: null, curl: null }
    const type = wanted.eventType === 'all' ? 'sms_mo' : wanted.eventType
    const shown = { ...judgeHook(hookRules, wanted), type, accountId, hookId: input.hook_id ?? 0 }
    return {
      problems,
      warnings,
      requests: previewRequests(shown, clock.now()),
      curl: registrationLine(baseUrl, wanted),
    }
  },
})

function findWarnings(wanted: HookDefinition, others: readonly HookDetails[]) {
  const { targetUrl: url, eventType: type, eventFilter: filter } = wanted
  const filterSays = filterWarning(filter, type)
  const twins = others.filter(
    (other) =>
      other.targetUrl === url && (other.eventType === type || other.eventType === 'all' || type === 'all'),
  )
  return [
    ...(filterSays === undefined ? [] : [{ field: 'event_filter', message: filterSays }]),
    ...twins.map(({ id }) => ({
      field: 'target_url',
      message: `Webhook ${id} sends such events to this address already: it would get them twice.`,
    })),
    ...(url.startsWith('http://')
      ? [{ field: 'target_url', message: 'Without https anybody on the way can read what is sent.' }]
      : []),
  ]
}
