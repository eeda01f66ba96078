/**
 * The `event_filter` of a webhook. Plain values, separated by commas, are compared with the event's inbound number
 * (for RCS the agent); `cel:` before it makes it a CEL expression over `event` and `data`.
 * Here it is only judged: an expression is compiled when it is saved so that it cannot fail to compile later.
 */
import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { Refusal } from './errors.ts'
import type { DeliverableType, Event } from './event.ts'
import { firstLine, withoutValues } from './filter-error.ts'
import type { EventType } from './hook.ts'

const celPrefix = 'cel:'

/** Types whose events carry no inbound number and no agent, so that plain values can never match them. */
const typesWithoutInboundNumber: ReadonlySet<EventType> = new Set(['dlr', 'voice_status', 'tracking'])

const celEnvironment = new Environment({
  unlistedVariablesAreDyn: false,
  limits: { maxAstNodes: 400, maxDepth: 24, maxListElements: 64, maxMapEntries: 64, maxCallArguments: 16 },
})
  .registerVariable('event', 'map')
  .registerVariable('data', 'map')

export function judgeFilter(filter: string, maxBytes: number): void {
  if (Buffer.byteLength(filter) > maxBytes) refuse(`The filter is longer than ${maxBytes} bytes.`)
  if (/\p{Cs}/u.test(filter)) refuse('The filter is not valid text.')
  if (/^\s*cel\s*:/i.test(filter) && !filter.startsWith(celPrefix))
    refuse('An expression starts with exactly "cel:", in lower case and without space before it.')
  if (filter.startsWith(celPrefix)) judgeExpression(filter.slice(celPrefix.length))
  else judgeValues(filter)
}

/** A sentence for the person who saved a filter that can never match, or undefined. */
export function filterWarning(filter: string | null, eventType: EventType): string | undefined {
  if (filter === null || filter.startsWith(celPrefix) || !typesWithoutInboundNumber.has(eventType))
    return undefined
  return `Events of type ${eventType} have no inbound number: this filter never matches.`
}

export type CompiledFilter =
  { kind: 'values'; values: ReadonlySet<string> } | { kind: 'cel'; evaluate: (context: object) => unknown }

/** Of plain values `saw` is the inbound number as it is. Of an expression no value is told: only what kind of answer it gave. */
export type FilterResult =
  | { matches: true }
  | { matches: false; why: 'filter'; saw: string | null }
  | { matches: false; why: 'filter_error'; error: string }

/** Of a filter that was judged before. */
export function compileFilter(filter: string): CompiledFilter {
  if (!filter.startsWith(celPrefix))
    return { kind: 'values', values: new Set(filter.split(',').map(comparable)) }
  return { kind: 'cel', evaluate: celEnvironment.parse(filter.slice(celPrefix.length)) }
}

/** An expression that fails when it runs does not match, and the error is the reason. */
export function runFilter(filter: CompiledFilter, event: Event, data: Record<string, unknown>): FilterResult {
  if (filter.kind === 'values') {
    const saw = inboundNumber(event.type, data)
    if (saw !== null && filter.values.has(comparable(saw))) return { matches: true }
    return { matches: false, why: 'filter', saw }
  }
  try {
    const facts = { id: event.id, type: event.type, accepted_at: event.acceptedAt }
    const answer = filter.evaluate({ event: facts, data })
    if (answer === true) return { matches: true }
    return { matches: false, why: 'filter', saw: kindOf(answer) }
  } catch (error) {
    return { matches: false, why: 'filter_error', error: withoutValues(error) }
  }
}

function kindOf(answer: unknown): string {
  if (answer === false || answer === null) return String(answer)
  if (typeof answer === 'string') return 'a text'
  if (typeof answer === 'number' || typeof answer === 'bigint') return 'a number'
  if (Array.isArray(answer)) return 'a list'
  return answer instanceof Date ? 'a time' : 'neither true nor false'
}

/** The number an event came in on; for RCS the agent. */
function inboundNumber(type: DeliverableType, data: Record<string, unknown>): string | null {
  const value = type === 'rcs' ? data.agent_id : data.system
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** `+49 170 1`, `0049 170 1` and `491701` are the same number; anything else is compared as it is. */
export function comparable(value: string): string {
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
  const checked = check(expression)
  if (!checked.valid) refuse(`The filter's expression is not valid: ${firstLine(checked.error)}`)
  if (checked.type !== 'bool' && checked.type !== 'dyn')
    refuse(`The filter's expression must answer true or false, but answers ${checked.type}.`)
  judgeCost(celEnvironment.parse(expression).ast, 0)
}

const loops = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])

/**
 * What could take unbounded time on a hostile event: regular expressions (the engine backtracks) and loops inside loops
 * (the work multiplies). One loop over a list of an event is bounded by the event's size.
 */
function judgeCost(node: unknown, loopDepth: number): void {
  if (Array.isArray(node)) {
    for (const part of node) judgeCost(part, loopDepth)
    return
  }
  if (!isNode(node)) return
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : ''
  if (name === 'matches')
    refuse('The filter uses matches(), which cannot be bounded. Use contains(), startsWith() or endsWith().')
  const depth = loops.has(name) ? loopDepth + 1 : loopDepth
  if (depth > 1) refuse(`The filter has a loop inside a loop: ${name}().`)
  judgeCost(node.args, depth)
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part
}

function check(expression: string): { valid: boolean; type?: string; error?: unknown } {
  try {
    return celEnvironment.check(expression)
  } catch (error) {
    return { valid: false, error }
  }
}

function refuse(message: string): never {
  throw new Refusal('invalidFilter', message)
}
