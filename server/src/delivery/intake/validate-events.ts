/** Parses a producer's call and validates each event separately: an invalid event does not reject the others. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { describeIssue } from '../../model/describe-issue.ts'
import { type ErrorName, ApiError } from '../../model/errors.ts'
import { isBuiltIn } from '../../model/event.ts'
import { isPartName, partNames, typeOfName } from '../../model/event-part.ts'
import { isAccountEvent } from '../../model/event-type/account-event.ts'
import type { EventCatalog } from '../../model/event-type/catalog.ts'
import { typeNamePattern } from '../../model/event-type/definition.ts'
import { compactJson, elementTexts, type JsonShape, measureJson, memberTexts } from '../../model/json-text.ts'
import { mapInSlices } from '../../runtime/slices.ts'
import type { ValidEvent } from '../../model/event.ts'
import { addMessageType, eventSchemas, searchFields } from './event-schemas.ts'

export interface RejectedEvent {
  reason: ErrorName
  message: string
}

export interface IntakeLimits {
  eventsPerCall: number
  eventBytes: number
  /** Only for test events: producers do not report the state of webhooks. */
  acceptsAccountEvents?: boolean
}

const maxIdempotencyKeyLength = 128

/**
 * Limits for the data of an event: far beyond any message, and small enough that filters, forms and masks stay fast
 * and shallow.
 */
const maxShape = { depth: 64, keys: 1_000, values: 10_000, maxKeyLength: 256 } satisfies JsonShape
/** Limits for a whole call, measured before parsing: 16 MiB of brackets would become a gigabyte of objects. */
const maxCallShape = { depth: 1_000, values: 250_000 }

/**
 * Limits for validating data by schemas of the operator: the checks of the schema, times the values of the data. The
 * most expensive schema takes 0.2 seconds for those of an event. Other work continues between the events of a call.
 */
const maxEventChecks = 250_000
const maxCallChecks = 2_000_000
/** Characters whose length check costs as much as the check of a value. */
const charactersPerValue = 64

const keyLengthError = `must have 1 to ${maxIdempotencyKeyLength} characters`
const positiveIdError = 'must be a positive whole number'

const envelope = z.looseObject({
  account_id: z.int32({ error: positiveIdError }).positive({ error: positiveIdError }),
  type: z.string(),
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

/** Checks the UTC year. Other years have no common text form: clients and PostgreSQL print them differently. */
function isCalendarYear(time: string): boolean {
  const year = new Date(time).getUTCFullYear()
  return year >= 1 && year <= 9_999
}

export async function validateEvents(
  body: string,
  limits: IntakeLimits,
  catalog: EventCatalog,
): Promise<Array<ValidEvent | RejectedEvent>> {
  rejectHugeCall(body)
  const parsed = parse(body)
  if (!isEventList(parsed))
    throw new ApiError('parameterInvalid', 'The body must be {"events": [ … ]} with at least one event.')
  if (parsed.events.length > limits.eventsPerCall)
    throw new ApiError('parameterInvalid', `A call can contain at most ${limits.eventsPerCall} events.`)
  const texts = elementTexts(memberText(compactJson(body), 'events') ?? '[]')
  const budget = { checks: maxCallChecks }
  return mapInSlices(parsed.events, (event, index) =>
    validateEvent(event, texts[index] ?? '', limits, catalog, budget),
  )
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

function validateEvent(
  event: unknown,
  text: string,
  limits: IntakeLimits,
  catalog: EventCatalog,
  budget: Budget,
): ValidEvent | RejectedEvent {
  const outer = envelope.safeParse(event, { error: describeIssue })
  if (!outer.success) return toRejected(outer.error, event)
  const type = typeOfName(outer.data.type)
  const data = memberText(text, 'data') ?? '{}'
  if (Buffer.byteLength(data) > limits.eventBytes)
    return {
      reason: 'bodyTooLarge',
      message: `The data of an event can have at most ${limits.eventBytes} bytes.`,
    }
  const shape = measureJson(data)
  const problem = shapeProblem(shape)
  if (problem !== undefined)
    return { reason: 'parameterInvalid', message: `The data of an event can ${problem}.` }
  const cost = shape.values + data.length / charactersPerValue
  if (isAccountEvent(type) && limits.acceptsAccountEvents !== true) return rejectType(catalog)
  const rejected = validateData(outer.data.type, outer.data.data, cost, catalog, budget)
  if (rejected !== undefined) return rejected
  return {
    accountId: outer.data.account_id,
    type,
    data: addMessageType(type, data, outer.data.data),
    occurredAt: outer.data.occurred_at ? new Date(outer.data.occurred_at) : null,
    key: outer.data.key ?? null,
    digest: outer.data.key ? hash('sha256', `${type}\n${data}`) : null,
    ...searchFields(outer.data.data, catalog.traitsOf(type).publicFields),
  }
}

/** Checks left for the events of a call. */
interface Budget {
  checks: number
}

/** Validates the data by the schema of its type. Older names of built-in types have schemas too. */
function validateData(
  name: string,
  data: Record<string, unknown>,
  cost: number,
  catalog: EventCatalog,
  budget: Budget,
): RejectedEvent | undefined {
  if (isBuiltIn(name) || isPartName(name)) {
    const parsed = eventSchemas[name].safeParse(data, { error: describeIssue })
    return parsed.success ? undefined : toRejected(parsed.error, data, 'data')
  }
  const type = catalog.find(name)
  if (type === undefined || type.removedAt !== null)
    return catalog.acceptsUnknown && typeNamePattern.test(name) ? undefined : rejectType(catalog)
  const checks = cost * type.checks
  if (checks > maxEventChecks)
    return invalid(`The data has too many values for the schema of type ${name}. Send fewer.`)
  budget.checks -= checks
  if (budget.checks < 0) return invalid('The call has too much data to validate. Send fewer events per call.')
  const problem = type.validate(data)
  return problem === undefined ? undefined : invalid(problem)
}

function rejectType({ intakeTypes, acceptsUnknown }: EventCatalog): RejectedEvent {
  const unknown = acceptsUnknown ? ', or another name of up to 40 characters (a-z, 0-9, _ and .)' : ''
  return invalid(`"type" must be one of ${[...intakeTypes, ...partNames].join(', ')}${unknown}.`)
}

function invalid(message: string): RejectedEvent {
  return { reason: 'parameterInvalid', message }
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
