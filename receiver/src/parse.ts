/** Reads the event of a verified request, in all three formats. */
import type { EventDataByType } from './event-types.ts'
import { headerReader, type SignedRequest } from './request.ts'

/** The fields of every request beside its data. */
interface Envelope {
  /** The same on every attempt and replay: recognizes duplicates. */
  id: string
  /** When the event was accepted. */
  webhook_timestamp: string
  /** From 1. */
  attempt: number
  is_test: boolean
}

/** Data by the names of types that the operator added. */
export type CustomEventData = Record<string, Record<string, unknown>>

type EventsOf<DataByType> = {
  [Type in keyof DataByType]: Envelope & { webhook_event: Type; data: DataByType[Type] }
}[keyof DataByType]

export type KnownEvent<Custom extends CustomEventData = never> = EventsOf<EventDataByType> | EventsOf<Custom>

/**
 * A type that this version does not know. TypeScript has no type for all other texts. With this pattern, a comparison
 * with a known name excludes this type.
 */
export interface OtherEvent extends Envelope {
  webhook_event: `${string}.${string}`
  data: Record<string, unknown>
}

export type WebhookEvent<Custom extends CustomEventData = never> = KnownEvent<Custom> | OtherEvent

export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
}

/** Parses a request after `verify`. In a form and a query all values are text, because they have no types. */
export function parse<Custom extends CustomEventData = never>(request: SignedRequest): WebhookEvent<Custom> {
  const header = headerReader(request.headers)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(header('content-type') ?? '')
  const { webhook_event: type, webhook_timestamp: timestamp, ...fields } = readFields(request, isForm)
  if (typeof type !== 'string' || typeof timestamp !== 'string')
    throw new UnreadableEvent('The request has no webhook_event and webhook_timestamp.')
  return {
    id: header('webhook-id') ?? '',
    webhook_event: type as OtherEvent['webhook_event'],
    webhook_timestamp: timestamp,
    attempt: Number(/^\d{1,6}$/.exec(header('x-hookline-attempt') ?? '')?.[0] ?? 1),
    is_test: header('x-hookline-test') === '1',
    data: isGet(request) ? fields : dataOf(fields, isForm),
  }
}

/** A form with flat fields has the data beside. So has a GET, where `data` is a field of the event or of the URL. */
function dataOf({ data, ...others }: Fields, isForm: boolean): Fields {
  const isNested = !isForm || Object.keys(others).length === 0
  if (isNested && isObject(data)) return data
  // An event without fields.
  if (isNested && data === '') return {}
  return data === undefined ? others : { ...others, data }
}

function isGet({ method }: SignedRequest): boolean {
  return method.toUpperCase() === 'GET'
}

type Fields = Record<string, unknown>

function readFields(request: SignedRequest, isForm: boolean): Fields {
  const { query = '', body } = request
  if (isGet(request)) return readForm(query)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  if (isForm) return readForm(text)
  try {
    const parsed: unknown = JSON.parse(text, readValue)
    if (isObject(parsed)) return parsed
  } catch {
    // The same error as for another JSON value.
  }
  throw new UnreadableEvent('The body is neither a JSON object nor a form.')
}

/**
 * An integer that a number cannot hold becomes text, because another number would be wrong. Half of a character, in which
 * the text of an SMS can end, becomes U+FFFD, because databases reject it.
 */
function readValue(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value
  const { source = '' } = context ?? {}
  return /^-?\d+$/.test(source) ? source : value
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Far more than an event has. A field that names more levels or more fields than that is not of Hookline. */
const maxFields = 20_000
const maxLevels = 70
const maxNameLength = 4_096

/** Reads fields with brackets as PHP does: `data[list][0]=a`. Query fields of the receiver's own URL stay beside. */
function readForm(text: string): Fields {
  // JSON that was sent as a form. The text of an SMS in it could look like other fields.
  if (text.includes('"')) throw new UnreadableEvent('The body is JSON, and not a form.')
  const root = new Map<string, Node>()
  const entries = [...new URLSearchParams(text)]
  if (entries.length > maxFields) throw new UnreadableEvent('The form has too many fields.')
  for (const [name, value] of entries) {
    if (name.length > maxNameLength) throw new UnreadableEvent('A field of the form has too many levels.')
    const bracket = name.indexOf('[')
    const keys =
      bracket < 1
        ? [name]
        : [
            name.slice(0, bracket),
            ...[...name.slice(bracket).matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key),
          ]
    if (keys.length > maxLevels) throw new UnreadableEvent('A field of the form has too many levels.')
    set(root, keys, value)
  }
  return toValue(root) as Fields
}

type Node = string | Map<string, Node>

function set(node: Map<string, Node>, [key = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) return void node.set(key, value)
  const existing = node.get(key)
  const inner = existing instanceof Map ? existing : new Map<string, Node>()
  node.set(key, inner)
  set(inner, rest, value)
}

/** Keys from 0 on are a list. */
function toValue(node: Node): unknown {
  if (typeof node === 'string') return node
  const entries = [...node].map(([key, inner]) => [key, toValue(inner)] as const)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
