/** The settings of a webhook that a file describes, as the API returns and accepts them. */
import type { ResponseBody } from '@hookline/client'

export type Webhook = ResponseBody<'get', '/api/hooks/{id}'>['hook']

export interface Header {
  name: string
  value: string
}

export interface Settings {
  name: string | null
  description: string | null
  target_url: string
  request_method: Webhook['request_method']
  event_types: readonly string[]
  event_filter: string | null
  headers: readonly Header[]
  max_per_second: number | null
  form_fields: Webhook['form_fields']
  accept_header: boolean
  trace_header: boolean
  signature_url: Webhook['signature_url']
  retry_policy: Webhook['retry_policy']
}

export type Field = keyof Settings

/** Values of settings that a file omits. The others are required. */
export const defaults = {
  name: null,
  description: null,
  event_filter: null,
  headers: [],
  max_per_second: null,
  form_fields: 'nested',
  accept_header: false,
  trace_header: false,
  signature_url: 'registered',
  retry_policy: 'standard',
} as const satisfies Partial<Settings>

export const fields: readonly Field[] = [
  'name',
  'description',
  'target_url',
  'request_method',
  'event_types',
  'event_filter',
  'headers',
  'max_per_second',
  'form_fields',
  'accept_header',
  'trace_header',
  'signature_url',
  'retry_policy',
]

/** Values of settings that are one of a few. */
export const choices = {
  request_method: ['JSON', 'POST', 'GET'],
  form_fields: ['nested', 'flat'],
  signature_url: ['registered', 'complete'],
  retry_policy: ['standard', 'original'],
} as const satisfies { [Name in Field]?: readonly Settings[Name][] }

export function settingsOf(hook: Webhook): Settings {
  const { chosen } = hook
  return {
    name: hook.name,
    description: hook.description,
    target_url: hook.target_url,
    request_method: hook.request_method,
    event_types: chosen?.event_types ?? [hook.event_type],
    event_filter: chosen === null ? hook.event_filter : chosen.event_filter,
    headers: splitHeaders(hook.headers),
    max_per_second: hook.max_per_second,
    form_fields: hook.form_fields,
    accept_header: hook.accept_header,
    trace_header: hook.trace_header,
    signature_url: hook.signature_url,
    retry_policy: hook.retry_policy,
  }
}

function splitHeaders(text: string): Header[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
    })
}

/** The settings whose values differ. */
export function changedFields(hook: Webhook, wanted: Settings): Field[] {
  const current = settingsOf(hook)
  const changed = fields.filter((field) => textOf(current[field]) !== textOf(wanted[field]))
  const areTypesSame =
    hook.event_type === wanted.event_types.join() && hook.event_filter === wanted.event_filter
  // A list of types that the user wrote as a filter is shown as a list.
  return areTypesSame
    ? changed.filter((field) => field !== 'event_types' && field !== 'event_filter')
    : changed
}

function textOf(value: Settings[Field]): string {
  return JSON.stringify(value)
}

type Body = Partial<Omit<Settings, 'event_types' | 'headers'>> & {
  event_type?: string
  event_types?: string[]
  headers?: string
}

/** The body of a call that sets these fields. The type and the filter depend on each other. */
export function bodyOf(settings: Settings, changed: readonly Field[] = fields): Body {
  const { event_types: types, event_filter: filter, headers, ...others } = settings
  const has = (field: Field): boolean => changed.includes(field)
  const [type = ''] = types
  return {
    ...Object.fromEntries(Object.entries(others).filter(([field]) => has(field as Field))),
    ...((has('event_types') || has('event_filter')) && {
      ...(types.length === 1 ? { event_type: type } : { event_types: [...types] }),
      event_filter: filter,
    }),
    ...(has('headers') && { headers: headers.map(({ name, value }) => `${name}: ${value}`).join('\n') }),
  }
}
