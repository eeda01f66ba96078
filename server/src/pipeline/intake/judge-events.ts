/** Reads a call of a producer and judges each event by itself: one that is wrong does not keep the others out. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { type ErrorName, Refusal } from '../../model/errors.ts'
import type { DeliverableType } from '../../model/event.ts'
import { compactJson, elementTexts, type JsonShape, measureJson, memberTexts } from '../../model/json-text.ts'
import { eventSchemas, searchFields } from './event-schemas.ts'

export interface ReadyEvent {
  accountId: number
  type: DeliverableType
  data: string
  occurredAt: Date | null
  key: string | null
  /** Of type and data, in hex: what must be equal where the key is. */
  digest: string | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
}

export interface RejectedEvent {
  reason: ErrorName
  message: string
}

export interface IntakeLimits {
  eventsPerCall: number
  eventBytes: number
}

const longestKey = 128

/**
 * What the data of an event can be: far beyond any message, and little enough for whatever walks through it (filters,
 * forms, masks) to be quick and shallow.
 */
const maxShape = { depth: 64, keys: 1_000, values: 10_000, longestKey: 256 } satisfies JsonShape
/** Of a whole call, measured before it is parsed: 16 MiB of brackets would become a gigabyte of objects. */
const maxCallShape = { depth: 1_000, values: 250_000 }

const types = Object.keys(eventSchemas) as DeliverableType[]

const envelope = z.looseObject({
  account_id: z.int32().positive({ error: 'must be a positive whole number' }),
  type: z.enum(types, { error: `must be one of ${types.join(', ')}` }),
  data: z.looseObject({}, { error: 'must be an object' }),
  key: z
    .string()
    .min(1)
    .max(longestKey)
    .refine(isStorable, { error: 'must hold neither NUL nor half a character' })
    .nullable()
    .optional(),
  occurred_at: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2026-11-15T09:30:00Z' })
    .refine(isCalendarYear, { error: 'must lie in the years 1 to 9999 in UTC' })
    .nullable()
    .optional(),
})

/** PostgreSQL refuses NUL; half of a surrogate pair would be replaced, so that different keys became the same. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** With its offset applied: other years are written in ways that PostgreSQL does not read. */
function isCalendarYear(time: string): boolean {
  const year = new Date(time).getUTCFullYear()
  return year >= 1 && year <= 9_999
}

export function judgeEvents(body: string, limits: IntakeLimits): Array<ReadyEvent | RejectedEvent> {
  refuseHugeCall(body)
  const parsed = parse(body)
  if (!isEventList(parsed))
    throw new Refusal('parameterInvalid', 'The body must be {"events": [ … ]} with at least one event.')
  if (parsed.events.length > limits.eventsPerCall)
    throw new Refusal('parameterInvalid', `A call can hold ${limits.eventsPerCall} events.`)
  const texts = elementTexts(memberText(compactJson(body), 'events') ?? '[]')
  return parsed.events.map((event, place) => judgeEvent(event, texts[place] ?? '', limits))
}

function refuseHugeCall(body: string): void {
  const { depth, values } = measure(body)
  if (depth > maxCallShape.depth)
    throw new Refusal('parameterInvalid', `A call can be nested ${maxCallShape.depth} deep.`)
  if (values > maxCallShape.values)
    throw new Refusal('parameterInvalid', `A call can hold ${maxCallShape.values} values.`)
}

function measure(body: string): JsonShape {
  try {
    return measureJson(body)
  } catch {
    throw new Refusal('unreadableRequest', 'The body is not valid JSON.')
  }
}

/** Of a name that stands twice the last, as JSON.parse has it. */
function memberText(compactObject: string, name: string): string | undefined {
  return memberTexts(compactObject).findLast(([own]) => own === name)?.[1]
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Refusal('unreadableRequest', 'The body is not valid JSON.')
  }
}

function isEventList(parsed: unknown): parsed is { events: unknown[] } {
  const events = (parsed as { events?: unknown } | null)?.events
  return Array.isArray(events) && events.length > 0
}

function judgeEvent(event: unknown, text: string, limits: IntakeLimits): ReadyEvent | RejectedEvent {
  const outer = envelope.safeParse(event)
  if (!outer.success) return rejected(outer.error)
  const { type } = outer.data
  const data = memberText(text, 'data') ?? '{}'
  if (Buffer.byteLength(data) > limits.eventBytes)
    return { reason: 'bodyTooLarge', message: `The data of an event can have ${limits.eventBytes} bytes.` }
  const problem = shapeProblem(measureJson(data))
  if (problem !== undefined)
    return { reason: 'parameterInvalid', message: `The data of an event can ${problem}.` }
  const inner = eventSchemas[type].safeParse(outer.data.data)
  if (!inner.success) return rejected(inner.error, 'data.')
  return {
    accountId: outer.data.account_id,
    type,
    data,
    occurredAt: outer.data.occurred_at ? new Date(outer.data.occurred_at) : null,
    key: outer.data.key ?? null,
    digest: outer.data.key ? hash('sha256', `${type}\n${data}`) : null,
    ...searchFields(inner.data),
  }
}

function shapeProblem({ depth, keys, values, longestKey: keyLength }: JsonShape): string | undefined {
  if (depth > maxShape.depth) return `be nested ${maxShape.depth} deep`
  if (keys > maxShape.keys) return `have ${maxShape.keys} keys`
  if (values > maxShape.values) return `have ${maxShape.values} values`
  if (keyLength > maxShape.longestKey) return `have keys of ${maxShape.longestKey} characters`
  return undefined
}

function rejected(error: z.ZodError, prefix = ''): RejectedEvent {
  const issue = error.issues[0]
  const field = `${prefix}${issue?.path.join('.') ?? ''}`
  return { reason: 'parameterInvalid', message: `"${field || 'event'}": ${issue?.message ?? 'not valid'}` }
}
