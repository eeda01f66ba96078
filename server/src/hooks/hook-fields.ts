/** The settings of a hook by their names in the API, and which of them differ between two versions. */
import type { HookRecord } from './hook-record.ts'

/** Without headers: they are sealed, and compared apart. */
export function settingsOf(hook: Omit<HookRecord, 'id' | 'createdAt'>) {
  return {
    name: hook.name,
    description: hook.description,
    target_url: hook.targetUrl,
    event_type: hook.registeredAs ?? hook.eventType,
    event_filter: hook.eventFilter,
    request_method: hook.requestMethod,
    max_per_second: hook.maxPerSecond,
    form_fields: hook.formFields,
    retry_policy: hook.retryPolicy,
    accept_header: hook.acceptHeader,
    trace_header: hook.traceHeader,
    signature_url: hook.signatureUrl,
  }
}

type HookSettings = ReturnType<typeof settingsOf>

export const hookFields = [
  'name',
  'description',
  'target_url',
  'event_type',
  'event_filter',
  'request_method',
  'headers',
  'max_per_second',
  'form_fields',
  'retry_policy',
  'accept_header',
  'trace_header',
  'signature_url',
] as const satisfies ReadonlyArray<keyof HookSettings | 'headers'>

export type HookField = (typeof hookFields)[number]

export function changedFields(
  before: HookRecord,
  after: HookRecord,
  haveHeadersChanged: boolean,
): HookField[] {
  const [old, current] = [settingsOf(before), settingsOf(after)]
  return hookFields.filter((field) =>
    field === 'headers' ? haveHeadersChanged : old[field] !== current[field],
  )
}
