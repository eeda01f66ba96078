/**
 * The `event_filter` of a webhook. Plain values, separated by commas, are compared with the event's inbound number
 * (for RCS the agent). With the prefix `cel:` it is a CEL expression over `event` and `data`, which runs within a
 * budget.
 */
import { ApiError } from '../errors.ts'
import type { Event } from '../event.ts'
import type { EventTraits } from '../event-traits.ts'
import { isTooExpensive, maxFilterUnits, Meter } from './budget.ts'
import { checkExpression, parseExpression } from './check.ts'
import type { EventText } from './maps.ts'
import { createProgram, type Program, Unsupported } from './program.ts'
import { Failure, unknownValue } from './values.ts'
import { explainExpressionError, InvalidExpression } from './expression-error.ts'
import { withoutValues } from './filter-error.ts'

export const celPrefix = 'cel:'

export function validateFilter(filter: string, maxBytes: number): void {
  if (Buffer.byteLength(filter) > maxBytes) reject(`The filter is longer than ${maxBytes} bytes.`)
  if (/\p{Cs}/u.test(filter)) reject('The filter is not valid text.')
  if (/^\s*cel\s*:/i.test(filter) && !filter.startsWith(celPrefix))
    reject('An expression must start with "cel:" in lower case, without leading whitespace.')
  if (isExpression(filter)) validateExpression(filter.slice(celPrefix.length))
  else validateValues(filter)
}

export function isExpression(filter: string | null): boolean {
  return filter?.startsWith(celPrefix) ?? false
}

/** An event as filters read it, created once for all filters. */
export interface FilterInput extends EventText {
  type: string
  traits: EventTraits
  /** The type was removed before the event was accepted. */
  isTypeRemoved: boolean
  facts: Record<'event' | 'data', Record<string, unknown>>
  /** The inbound number, as in the event and normalized. */
  inbound: { value: string; normalized: string } | null
  /** Whether a filter has read the data, which parses them. */
  isParsed: () => boolean
}

/** Parses the event when a filter first reads it: most hooks have none. */
export function filterInput(event: Event, traits: EventTraits): FilterInput {
  let facts: FilterInput['facts'] | undefined
  let inbound: FilterInput['inbound'] | undefined
  return {
    text: event.data,
    type: event.type,
    traits,
    isParsed: () => facts !== undefined,
    isTypeRemoved: traits.removedAt !== null && event.acceptedAt >= traits.removedAt,
    get facts() {
      return (facts ??= {
        event: { id: event.id, type: event.type, accepted_at: event.acceptedAt },
        data: JSON.parse(event.data) as Record<string, unknown>,
      })
    },
    get inbound() {
      if (inbound === undefined) {
        const value = inboundNumber(traits, this.facts.data)
        inbound = value === null ? null : { value, normalized: normalizeNumber(value) }
      }
      return inbound
    },
  }
}

export type CompiledFilter =
  | { kind: 'values'; values: ReadonlySet<string>; parts: number }
  | { kind: 'cel'; program: Program; parts: number; readsCommit: boolean }

/**
 * For plain values, `actual` is the inbound number. For an expression it names only the kind of the result, never a
 * value. `units` is the cost of the evaluation.
 */
export type FilterResult = { units: number } & (
  | { matches: true }
  | { matches: false; why: 'filter'; actual: string | null }
  | { matches: false; why: 'filter_error'; error: string }
  | { matches: false; why: 'too_expensive' }
)

/** Of `event`, only the type is known before the event is committed. Other text that looks like it does no harm. */
const readsCommit = /\bevent\b(?!\s*\.\s*type\b)/

/** Compiles a filter that was validated before. */
export function compileFilter(filter: string): CompiledFilter {
  if (!isExpression(filter)) {
    const values = new Set(filter.split(',').map(normalizeNumber))
    return { kind: 'values', values, parts: values.size }
  }
  const program = createProgram(parseExpression(filter.slice(celPrefix.length)))
  return { kind: 'cel', program, parts: program.parts, readsCommit: readsCommit.test(filter) }
}

const unitsOfValues = 100

/** An expression that fails does not match, and its error is the reason. */
export function runFilter(filter: CompiledFilter, input: FilterInput, maxUnits: number): FilterResult {
  if (filter.kind === 'values') {
    const { inbound } = input
    if (inbound !== null && filter.values.has(inbound.normalized))
      return { matches: true, units: unitsOfValues }
    return { matches: false, why: 'filter', actual: inbound?.value ?? null, units: unitsOfValues }
  }
  const { result, units } = evaluate(filter.program, input, maxUnits)
  if (result === true) return { matches: true, units }
  if (result === undefined) return { matches: false, why: 'too_expensive', units }
  if (result instanceof Failure)
    return { matches: false, why: 'filter_error', error: withoutValues(result), units }
  return { matches: false, why: 'filter', actual: kindOf(result), units }
}

/** Returns an undefined result if the expression costs more than `maxUnits`. */
export function evaluate(
  program: Program,
  input: FilterInput,
  maxUnits: number,
): { result: unknown; units: number } {
  const meter = new Meter(maxUnits)
  try {
    return {
      result: program.run({ meter, event: input }, input.facts.event, input.facts.data),
      units: meter.spent,
    }
  } catch (error) {
    // The last operation was not executed.
    if (isTooExpensive(error)) return { result: undefined, units: maxUnits + 1 }
    // Unexpected, but still limited to this filter.
    return { result: new Failure('it cannot be evaluated on this event'), units: meter.spent }
  }
}

function kindOf(result: unknown): string {
  if (result === false || result === null) return String(result)
  if (typeof result === 'string') return 'a string'
  if (typeof result === 'number' || typeof result === 'bigint') return 'a number'
  if (Array.isArray(result)) return 'a list'
  return result instanceof Date ? 'a time' : 'neither true nor false'
}

/** Returns the inbound number of an event; for RCS the agent. */
function inboundNumber({ filterField }: EventTraits, data: Record<string, unknown>): string | null {
  const value = filterField !== null && Object.hasOwn(data, filterField) ? data[filterField] : null
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Longer values are not numbers, and rewriting them costs by length. */
const maxNumberLength = 1_000

/** Normalizes numbers: `+49 170 1`, `0049 170 1` and `491701` are equal. Other values are only trimmed. */
export function normalizeNumber(value: string): string {
  if (value.length > maxNumberLength) return value.trim()
  const compact = value.replaceAll(' ', '')
  const digits = compact.replace(/^(\+|00)/, '')
  return /^\d+$/.test(digits) ? digits : value.trim()
}

function validateValues(filter: string): void {
  if (/\p{Cc}/u.test(filter)) reject('The filter contains control characters.')
  if (filter.split(',').some((value) => value.trim() === ''))
    reject('The filter contains an empty value. Separate values with single commas.')
}

function validateExpression(expression: string): void {
  let type: string | undefined
  try {
    type = checkExpression(expression)
    checkCost(createProgram(parseExpression(expression)))
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof Unsupported) reject(error.message)
    throw new InvalidExpression(explainExpressionError(expression, error), celPrefix.length)
  }
  if (type !== 'bool' && type !== 'dyn')
    reject(`The filter expression must return true or false, but returns ${type}.`)
}

/** Rejects an expression that is too expensive before it reads the event. */
function checkCost(program: Program): void {
  const meter = new Meter(maxFilterUnits)
  try {
    program.run({ meter, event: { text: '' } }, unknownValue, unknownValue)
  } catch (error) {
    if (!isTooExpensive(error)) throw error
    reject(
      `The filter is too expensive on every event: it costs more than ${maxFilterUnits.toLocaleString('en-US')} units. Shorten its strings and lists.`,
    )
  }
}

function reject(message: string): never {
  throw new ApiError('invalidFilter', message, { field: 'event_filter' })
}
