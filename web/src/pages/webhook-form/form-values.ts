/** What the form holds, and what it means for the service. */
import type { EventType, Hook, HookValues, RequestMethod } from '../../api/shapes.ts'

export type FilterKind = 'any' | 'values' | 'expression'

export interface FormValues {
  eventType: EventType
  filterKind: FilterKind
  /** Numbers or agents apart by commas, or an expression without its prefix. */
  filter: string
  method: RequestMethod
  address: string
  headers: string
  /** Empty: no limit. */
  mostPerSecond: string
}

const expressionPrefix = 'cel:'

export const emptyForm: FormValues = {
  eventType: 'sms_mo',
  filterKind: 'any',
  filter: '',
  method: 'JSON',
  address: '',
  headers: '',
  mostPerSecond: '',
}

export function formOf(hook: Hook): FormValues {
  const filter = hook.event_filter ?? ''
  const isExpression = filter.startsWith(expressionPrefix)
  return {
    eventType: hook.event_type,
    filterKind: isExpression ? 'expression' : filter === '' ? 'any' : 'values',
    filter: isExpression ? filter.slice(expressionPrefix.length) : filter,
    method: hook.request_method,
    address: hook.target_url,
    headers: hook.headers,
    mostPerSecond: hook.most_per_second === null ? '' : String(hook.most_per_second),
  }
}

export function filterOf({ filterKind, filter }: FormValues): string | null {
  if (filterKind === 'any' || filter.trim() === '') return null
  return filterKind === 'expression' ? `${expressionPrefix}${filter}` : filter
}

export function wireOf(values: FormValues): HookValues {
  return {
    target_url: values.address.trim(),
    event_type: values.eventType,
    event_filter: filterOf(values),
    request_method: values.method,
    headers: values.headers.trim() === '' ? '' : values.headers.replaceAll(/\n+$/g, ''),
  }
}

export function limitOf({ mostPerSecond }: FormValues): number | null {
  return mostPerSecond.trim() === '' ? null : Number(mostPerSecond)
}

/** The fields of the service by ours, so that a remark stands beside what it is about. */
export const fieldOf: Record<string, keyof FormValues> = {
  target_url: 'address',
  event_type: 'eventType',
  event_filter: 'filter',
  request_method: 'method',
  headers: 'headers',
  most_per_second: 'mostPerSecond',
}
