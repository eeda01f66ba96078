/**
 * The `event_filter` of a webhook. Plain values, separated by commas, are compared with the event's inbound number
 * (for RCS the agent); `cel:` before it makes it a CEL expression over `event` and `data`, which runs within a budget.
 */
import { Refusal } from './errors.ts'
import type { DeliverableType, Event } from './event.ts'
import { isTooExpensive, maxFilterUnits, Meter } from './filter/budget.ts'
import { checkExpression, parseExpression } from './filter/check.ts'
import type { EventText } from './filter/maps.ts'
import { createProgram, type Program, Unsupported } from './filter/program.ts'
import { Failure, unknownValue } from './filter/values.ts'
import { firstLine, withoutValues } from './filter-error.ts'
import type { EventType } from './hook.ts'

const celPrefix = 'cel:'

/** Types whose events carry no inbound number and no agent, so that plain values can never match them. */
const typesWithoutInboundNumber: ReadonlySet<EventType> = new Set(['dlr', 'voice_status', 'tracking'])

export function judgeFilter(filter: string, maxBytes: number): void {
  if (Buffer.byteLength(filter) > maxBytes) refuse(`The filter is longer than ${maxBytes} bytes.`)
  if (/\p{Cs}/u.test(filter)) refuse('The filter is not valid text.')
  if (/^\s*cel\s*:/i.test(filter) && !filter.startsWith(celPrefix))
    refuse('An expression starts with exactly "cel:", in lower case and without space before it.')
  if (isExpression(filter)) judgeExpression(filter.slice(celPrefix.length))
  else judgeValues(filter)
}

export function isExpression(filter: string | null): boolean {
  return filter?.startsWith(celPrefix) ?? false
}

/** A sentence for the person who saved a filter that can never match, or undefined. */
export function filterWarning(filter: string | null, eventType: EventType): string | undefined {
  if (filter === null || isExpression(filter) || !typesWithoutInboundNumber.has(eventType)) return undefined
  return `Events of type ${eventType} have no inbound number: this filter never matches.`
}

/** An event as filters read it, made once for all of them. */
export interface FilterInput extends EventText {
  type: DeliverableType
  facts: Record<'event' | 'data', Record<string, unknown>>
  /** The inbound number as the event has it, and as it is compared. */
  inbound: { value: string; comparable: string } | null
}

export function filterInput(event: Event): FilterInput {
  const data = JSON.parse(event.data) as Record<string, unknown>
  const value = inboundNumber(event.type, data)
  return {
    text: event.data,
    type: event.type,
    facts: { event: { id: event.id, type: event.type, accepted_at: event.acceptedAt }, data },
    inbound: value === null ? null : { value, comparable: comparable(value) },
  }
}

export type CompiledFilter =
  | { kind: 'values'; values: ReadonlySet<string>; parts: number }
  | { kind: 'cel'; program: Program; parts: number }

/**
 * Of plain values `saw` is the inbound number as it is. Of an expression no value is told: only what kind of answer it
 * gave. `units` is what the evaluation cost.
 */
export type FilterResult = { units: number } & (
  | { matches: true }
  | { matches: false; why: 'filter'; saw: string | null }
  | { matches: false; why: 'filter_error'; error: string }
  | { matches: false; why: 'too_expensive' }
)

/** Of a filter that was judged before. */
export function compileFilter(filter: string): CompiledFilter {
  if (!isExpression(filter)) {
    const values = new Set(filter.split(',').map(comparable))
    return { kind: 'values', values, parts: values.size }
  }
  const program = createProgram(parseExpression(filter.slice(celPrefix.length)))
  return { kind: 'cel', program, parts: program.parts }
}

const unitsOfValues = 100

/** An expression that fails when it runs does not match, and the error is the reason. */
export function runFilter(filter: CompiledFilter, input: FilterInput, maxUnits: number): FilterResult {
  if (filter.kind === 'values') {
    const { inbound } = input
    if (inbound !== null && filter.values.has(inbound.comparable))
      return { matches: true, units: unitsOfValues }
    return { matches: false, why: 'filter', saw: inbound?.value ?? null, units: unitsOfValues }
  }
  const { result, units } = evaluate(filter.program, input, maxUnits)
  if (result === true) return { matches: true, units }
  if (result === undefined) return { matches: false, why: 'too_expensive', units }
  if (result instanceof Failure)
    return { matches: false, why: 'filter_error', error: withoutValues(result), units }
  return { matches: false, why: 'filter', saw: kindOf(result), units }
}

/** A result of undefined: the expression costs more than `maxUnits`. */
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
    // What it asked for last was not done.
    if (isTooExpensive(error)) return { result: undefined, units: maxUnits + 1 }
    // Not foreseen, and still the trouble of this filter alone.
    return { result: new Failure('it cannot be run on this event'), units: meter.spent }
  }
}

function kindOf(result: unknown): string {
  if (result === false || result === null) return String(result)
  if (typeof result === 'string') return 'a text'
  if (typeof result === 'number' || typeof result === 'bigint') return 'a number'
  if (Array.isArray(result)) return 'a list'
  return result instanceof Date ? 'a time' : 'neither true nor false'
}

/** The number an event came in on; for RCS the agent. */
function inboundNumber(type: DeliverableType, data: Record<string, unknown>): string | null {
  const value = type === 'rcs' ? data.agent_id : data.system
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Longer ones are no numbers, and to rewrite them costs by their length. */
const maxNumberLength = 1_000

/** `+49 170 1`, `0049 170 1` and `491701` are the same number; anything else is compared as it is. */
export function comparable(value: string): string {
  if (value.length > maxNumberLength) return value.trim()
  const compact = value.replaceAll(' ', '')
  const digits = compact.replace(/^(\+|00)/, '')
  return /^\d+$/.test(digits) ? digits : value.trim()
}

function judgeValues(filter: string): void {
  if (/\p{Cc}/u.test(filter)) refuse('The filter has control characters.')
  if (filter.split(',').some((value) => value.trim() === ''))
    refuse('The filter has an empty value. Separate values by single commas.')
}

function judgeExpression(expression: string): void {
  let type: string | undefined
  try {
    type = checkExpression(expression)
    judgeCost(createProgram(parseExpression(expression)))
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof Unsupported) refuse(error.message)
    refuse(`The filter's expression is not valid: ${firstLine(error)}`)
  }
  if (type !== 'bool' && type !== 'dyn')
    refuse(`The filter's expression must answer true or false, but answers ${type}.`)
}

/** Refuses an expression that costs too much before it has looked at the event. */
function judgeCost(program: Program): void {
  const meter = new Meter(maxFilterUnits)
  try {
    program.run({ meter, event: { text: '' } }, unknownValue, unknownValue)
  } catch (error) {
    if (!isTooExpensive(error)) throw error
    refuse(
      `The filter is too expensive on any event: it costs more than ${maxFilterUnits.toLocaleString('en-US')} units. Make its texts and lists shorter.`,
    )
  }
}

function refuse(message: string): never {
  throw new Refusal('invalidFilter', message)
}
