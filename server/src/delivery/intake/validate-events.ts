/** Parses a producer's call and validates each event separately: an invalid event does not reject the others. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { describeIssue } from '../../model/describe-issue.ts'
import { type ErrorName, ApiError } from '../../model/errors.ts'
import type { DeliverableType } from '../../model/event.ts'
import { compactJson, elementTexts, type JsonShape, measureJson, memberTexts } from '../../model/json-text.ts'
import { addMessageType, eventSchemas, searchFields } from './event-schemas.ts'

export interface ValidEvent {
  accountId: number
  type: DeliverableType
  data: string
  occurredAt: Date | null
  key: string | null
  /** Hash of type and data as sent, in hex. Events with the same key must have the same digest. */
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

const maxIdempotencyKeyLength = 128

/**
 * Limits for the data of an event: far beyond any message, and small enough that filters, forms and masks stay fast
 * and shallow.
 */
const maxShape = { depth: 64, keys: 1_000, values: 10_000, maxKeyLength: 256 } satisfies JsonShape
/** Limits for a whole call, measured before parsing: 16 MiB of brackets would become a gigabyte of objects. */
const maxCallShape = { depth: 1_000, values: 250_000 }

const types = Object.keys(eventSchemas) as DeliverableType[]

const keyLengthError = `must have 1 to ${maxIdempotencyKeyLength} characters`
const positiveIdError = 'must be a positive whole number'

const envelope = z.looseObject({
  account_id: z.int32({ error: positiveIdError }).positive({ error: positiveIdError }),
  type: z.enum(types),
  data: z.looseObject({}),
  key: z
    .string()
    .min(1, { error: keyLengthError })
    .max(maxIdempotencyKeyLength, { error: keyLengthError })
    .refine(isStorable, { error: 'must not contain NUL or an unpaired surrogate' })
    .nullable()
    .optional(),
  occurred_at: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2026-11-15T09:30:00Z' })
    .refine(isCalendarYear, { error: 'must be between the years 1 and 9999 in UTC' })
    .nullable()
    .optional(),
})

/** PostgreSQL rejects NUL. An unpaired surrogate would be replaced, and different keys would become equal. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Checks the UTC year: PostgreSQL cannot parse other years. */
function isCalendarYear(time: string): boolean {
  const year = new Date(time).getUTCFullYear()
  return year >= 1 && year <= 9_999
}

export function validateEvents(body: string, limits: IntakeLimits): Array<ValidEvent | RejectedEvent> {
  rejectHugeCall(body)
  const parsed = parse(body)
  if (!isEventList(parsed))
    throw new ApiError('parameterInvalid', 'The body must be {"events": [ … ]} with at least one event.')
  if (parsed.events.length > limits.eventsPerCall)
    throw new ApiError('parameterInvalid', `A call can contain at most ${limits.eventsPerCall} events.`)
  const texts = elementTexts(memberText(compactJson(body), 'events') ?? '[]')
  return parsed.events.map((event, index) => validateEvent(event, texts[index] ?? '', limits))
}

function rejectHugeCall(body: string): void {
  const { depth, values } = measure(body)
  if (depth > maxCallShape.depth)
    throw new ApiError('parameterInvalid', `A call can be nested at most ${maxCallShape.depth} levels deep.`)
  if (values > maxCallShape.values)
    throw new ApiError('parameterInvalid', `A call can contain at most ${maxCallShape.values} values.`)
}

function measure(body: string): JsonShape {
  try {
    return measureJson(body)
  } catch {
    throw new ApiError('malformedRequest', 'The body is not valid JSON.')
  }
}

/** Returns the text of a member. Of duplicate names the last counts, as in JSON.parse. */
function memberText(compactObject: string, name: string): string | undefined {
  return memberTexts(compactObject).findLast(([memberName]) => memberName === name)?.[1]
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new ApiError('malformedRequest', 'The body is not valid JSON.')
  }
}

function isEventList(parsed: unknown): parsed is { events: unknown[] } {
  const events = (parsed as { events?: unknown } | null)?.events
  return Array.isArray(events) && events.length > 0
}

function validateEvent(event: unknown, text: string, limits: IntakeLimits): ValidEvent | RejectedEvent {
  const outer = envelope.safeParse(event, { error: describeIssue })
  if (!outer.success) return toRejected(outer.error, event)
  const { type } = outer.data
  const data = memberText(text, 'data') ?? '{}'
  if (Buffer.byteLength(data) > limits.eventBytes)
    return {
      reason: 'bodyTooLarge',
      message: `The data of an event can have at most ${limits.eventBytes} bytes.`,
    }
  const problem = shapeProblem(measureJson(data))
  if (problem !== undefined)
    return { reason: 'parameterInvalid', message: `The data of an event can ${problem}.` }
  const inner = eventSchemas[type].safeParse(outer.data.data, { error: describeIssue })
  if (!inner.success) return toRejected(inner.error, outer.data.data, 'data')
  return {
    accountId: outer.data.account_id,
    type,
    data: addMessageType(type, data, inner.data),
    occurredAt: outer.data.occurred_at ? new Date(outer.data.occurred_at) : null,
    key: outer.data.key ?? null,
    digest: outer.data.key ? hash('sha256', `${type}\n${data}`) : null,
    ...searchFields(inner.data),
  }
}

function shapeProblem({ depth, keys, values, maxKeyLength: keyLength }: JsonShape): string | undefined {
  if (depth > maxShape.depth) return `be nested at most ${maxShape.depth} levels deep`
  if (keys > maxShape.keys) return `have at most ${maxShape.keys} keys`
  if (values > maxShape.values) return `have at most ${maxShape.values} values`
  if (keyLength > maxShape.maxKeyLength) return `have keys of at most ${maxShape.maxKeyLength} characters`
  return undefined
}

/** `"data.id" is missing.`, `"key" must be a string.` */
function toRejected(error: z.ZodError, value: unknown, prefix?: string): RejectedEvent {
  const issue = error.issues[0]
  const path = issue?.path ?? []
  const name = [...(prefix === undefined ? [] : [prefix]), ...path].join('.')
  const actual = path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown>)[step], value)
  const problem = actual === undefined ? 'is missing' : issue?.message
  return {
    reason: 'parameterInvalid',
    message: `${name === '' ? 'An event' : `"${name}"`} ${problem}.`,
  }
}
