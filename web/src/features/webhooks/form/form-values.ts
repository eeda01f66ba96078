/** Values of the webhook form and their conversion from and to the API. */
import type { DeliveryOptions, Hook, HookSettings, HookTypes, RequestMethod } from '../../../api/types.ts'
import { ownFilter, severalTypes } from '../../../messages/event-types.ts'

export type FilterKind = 'any' | 'values' | 'expression'

export interface FormValues {
  name: string
  description: string
  /** A type, or `severalTypes`. */
  eventType: string
  /** The types of `severalTypes`. */
  eventTypes: string[]
  filterKind: FilterKind
  /** Comma-separated numbers or agents, or an expression without its prefix. */
  filter: string
  method: RequestMethod
  targetUrl: string
  headers: string
  /** Empty: no limit. */
  maxPerSecond: string
  formFields: DeliveryOptions['form_fields']
  retryPolicy: DeliveryOptions['retry_policy']
  acceptHeader: boolean
  traceHeader: boolean
  signatureUrl: DeliveryOptions['signature_url']
}

export const expressionPrefix = 'cel:'

export const emptyForm: FormValues = {
  name: '',
  description: '',
  eventType: 'sms_mo',
  eventTypes: [],
  filterKind: 'any',
  filter: '',
  method: 'JSON',
  targetUrl: '',
  headers: '',
  maxPerSecond: '',
  formFields: 'nested',
  retryPolicy: 'standard',
  acceptHeader: false,
  traceHeader: false,
  signatureUrl: 'registered',
}

export function toFormValues(hook: Hook): FormValues {
  const filter = ownFilter(hook) ?? ''
  const isExpression = filter.startsWith(expressionPrefix)
  return {
    name: hook.name ?? '',
    description: hook.description ?? '',
    eventType: hook.chosen === null ? hook.event_type : severalTypes,
    eventTypes: hook.chosen?.event_types ?? [],
    filterKind: isExpression ? 'expression' : filter === '' ? 'any' : 'values',
    filter: isExpression ? filter.slice(expressionPrefix.length) : filter,
    method: hook.request_method,
    targetUrl: hook.target_url,
    headers: hook.headers,
    maxPerSecond: hook.max_per_second === null ? '' : String(hook.max_per_second),
    formFields: hook.form_fields,
    retryPolicy: hook.retry_policy,
    acceptHeader: hook.accept_header,
    traceHeader: hook.trace_header,
    signatureUrl: hook.signature_url,
  }
}

export function filterOf({ filterKind, filter }: FormValues): string | null {
  if (filterKind === 'any' || filter.trim() === '') return null
  return filterKind === 'expression' ? `${expressionPrefix}${withoutPrefix(filter)}` : filter
}

const pastedPrefix = /^\s*cel\s*:\s*/i

/** Removes the prefix of an expression that was pasted with it. */
export function withoutPrefix(expression: string): string {
  return expression.replace(pastedPrefix, '')
}

/** Whether text in the field for numbers is meant as an expression. */
export function isExpressionText(filter: string): boolean {
  return pastedPrefix.test(filter) || /[=!<>]=|&&|\|\||\b(?:data|event)\s*[.[]|\w\(/.test(filter)
}

/** Returns the first value that is not a number. */
export function findNonNumber(filter: string): string | undefined {
  return filter
    .split(',')
    .map((value) => value.trim())
    .find((value) => value !== '' && !/^\+?[\d ]+$/.test(value))
}

/** “numbers” for “number or agent”. */
export function pluralOf(filterField: string | null): string {
  return `${filterField?.split(' ')[0] ?? 'number'}s`
}

export function typesOf(values: FormValues): HookTypes {
  const { eventType, eventTypes } = values
  const event_filter = filterOf(values)
  if (eventType !== severalTypes) return { event_type: eventType, event_filter }
  // Until a type is chosen, the preview shows any event.
  return eventTypes.length === 0
    ? { event_type: 'all', event_filter }
    : { event_types: eventTypes, event_filter }
}

export function toApiInput(values: FormValues): HookSettings {
  return {
    ...typesOf(values),
    ...optionsOf(values),
    name: values.name.trim() || null,
    description: values.description.trim() || null,
    target_url: values.targetUrl.trim(),
    request_method: values.method,
    headers: values.headers.trim() === '' ? '' : values.headers.replaceAll(/\n+$/g, ''),
    max_per_second: values.maxPerSecond.trim() === '' ? null : Number(values.maxPerSecond),
  }
}

/** Names a webhook to the test receiver, unless the user did. Its URL says nothing to users. */
export function withDefaultName(settings: HookSettings, receiverUrl: string | undefined): HookSettings {
  return settings.target_url === receiverUrl
    ? { ...settings, name: settings.name ?? 'Test receiver' }
    : settings
}

function optionsOf(values: FormValues): DeliveryOptions {
  return {
    form_fields: values.formFields,
    retry_policy: values.retryPolicy,
    accept_header: values.acceptHeader,
    trace_header: values.traceHeader,
    signature_url: values.signatureUrl,
  }
}

/** Whether a delivery option is not at its default. */
export function hasOptions(values: FormValues): boolean {
  return JSON.stringify(optionsOf(values)) !== JSON.stringify(optionsOf(emptyForm))
}

export function isLimitValid({ maxPerSecond }: FormValues): boolean {
  return /^([1-9]\d{0,3}|10000)?$/.test(maxPerSecond.trim())
}

/** Maps API fields to form fields, so each problem appears beside its field. */
export const fieldOf: Record<string, keyof FormValues> = {
  name: 'name',
  description: 'description',
  target_url: 'targetUrl',
  event_types: 'eventTypes',
  event_filter: 'filter',
  headers: 'headers',
  max_per_second: 'maxPerSecond',
}
