/**
 * Why a hook wants an event or not, in words. What decides is `matchHook` itself; this only looks closer at a "no": which
 * value a plain filter saw, which clause of an expression was the first to fail. Pure.
 */
import { comparable, evaluate, type FilterInput } from '../../model/event-filter.ts'
import { createProgram } from '../../model/filter/program.ts'
import { Failure } from '../../model/filter/values.ts'
import { type Clause, clausesOf } from '../../model/filter-clauses.ts'
import { withoutValues, withValue } from '../../model/filter-error.ts'
import type { EventType } from '../../model/hook.ts'
import { mask } from '../../model/mask.ts'
import { maskField } from '../../model/mask-data.ts'
import { matchHook } from './match.ts'

export interface Why {
  kind:
    | 'matched'
    | 'type'
    | 'filter'
    | 'field_missing'
    | 'clause'
    | 'filter_error'
    | 'filter_unreadable'
    | 'too_expensive'
  /** What the filter looked at. */
  saw?: string
  /** The part of an expression that decided. */
  clause?: string
  sentence: string
}

export interface ExplainableHook {
  eventType: EventType
  eventFilter: string | null
}

const celPrefix = 'cel:'

interface Explanation {
  why: Why
  /** What it has cost to find out. */
  units: number
}

/** Unless `isRevealed`, values of the event are masked. `maxUnits` is what the filter might cost when it was matched. */
export function explainMatch(
  hook: ExplainableHook,
  input: FilterInput,
  maxUnits: number,
  isRevealed: boolean,
): Explanation {
  const match = matchHook({ eventType: hook.eventType, filter: hook.eventFilter }, input, maxUnits)
  const { units } = match
  if (match.matches) return { why: { kind: 'matched', sentence: matchedSentence(hook, input) }, units }
  if (match.why === 'type')
    return {
      why: {
        kind: 'type',
        saw: input.type,
        sentence: `It wants events of type ${hook.eventType}, and this one is ${input.type}.`,
      },
      units,
    }
  if (match.why === 'filter_unreadable')
    return {
      why: {
        kind: 'filter_unreadable',
        sentence:
          'Its filter cannot be read. Whether this event matches is decided when the webhook is saved again.',
      },
      units,
    }
  const text = hook.eventFilter ?? ''
  if (!text.startsWith(celPrefix))
    return { why: explainValues(text, input, match.why === 'filter' ? match.saw : null, isRevealed), units }
  // The clauses cost what they cost together.
  const spent = 2 * units
  const expression = text.slice(celPrefix.length)
  if (match.why === 'too_expensive') return { why: explainCost(expression, input, maxUnits), units: spent }
  return { why: explainExpression(expression, input, maxUnits, isRevealed), units: spent }
}

function matchedSentence({ eventType, eventFilter }: ExplainableHook, { type }: FilterInput): string {
  const wants = eventType === 'all' ? 'It wants events of every type' : `It wants events of type ${type}`
  return eventFilter === null ? `${wants}.` : `${wants}, and its filter fits.`
}

function explainValues(filter: string, { type }: FilterInput, saw: string | null, isRevealed: boolean): Why {
  const field = type === 'rcs' ? 'agent_id' : 'system'
  if (saw === null)
    return {
      kind: 'field_missing',
      sentence: `Its filter is compared with ${field}, which this event does not have.`,
    }
  const shown = short(isRevealed || field === 'agent_id' ? saw : mask(comparable(saw)))
  const values = filter.split(',').length
  return {
    kind: 'filter',
    saw: shown,
    sentence: `${field} is ${shown}, which is not ${values === 1 ? 'the value' : `one of the ${values} values`} of its filter.`,
  }
}

interface RunClause {
  clause: Clause
  /** Undefined: the budget did not suffice for it. */
  result: unknown
}

/** Runs the clauses until one says no. They share one budget, as they do in the expression. */
function runClauses(expression: string, input: FilterInput, maxUnits: number): RunClause[] {
  const run: RunClause[] = []
  let left = maxUnits
  for (const clause of clausesOf(expression)) {
    const { result, units } = evaluate(createProgram(clause.node), input, left)
    run.push({ clause, result })
    left -= units
    if (result !== true && !(result instanceof Failure)) break
  }
  return run
}

function explainCost(expression: string, input: FilterInput, maxUnits: number): Why {
  const clause = runClauses(expression, input, maxUnits).at(-1)?.clause.text ?? expression
  const budget = maxUnits.toLocaleString('en-US')
  return {
    kind: 'too_expensive',
    clause,
    sentence: `Its filter is too expensive for this event: it used up its budget of ${budget} units at ${clause}.`,
  }
}

/** The first clause that says no; where none does, the first that cannot be evaluated. */
function explainExpression(
  expression: string,
  input: FilterInput,
  maxUnits: number,
  isRevealed: boolean,
): Why {
  const run = runClauses(expression, input, maxUnits)
  const no = run.find(({ result }) => result !== true && !(result instanceof Failure))
  if (no !== undefined) {
    const saw = seen(no.clause, input, isRevealed)
    return {
      kind: 'clause',
      clause: no.clause.text,
      ...(saw !== '' && { saw }),
      sentence: `Its filter needs ${no.clause.text}${saw === '' ? '' : `, and ${saw}`}.`,
    }
  }
  const broken = run.find(({ result }) => result instanceof Failure)
  const clause = broken?.clause ?? { text: expression, fields: [] }
  const missing = clause.fields.find((path) => lookUp(path, input) === undefined)
  if (missing !== undefined)
    return {
      kind: 'field_missing',
      clause: clause.text,
      sentence: `Its filter needs ${clause.text}, and this event has no ${nameOf(missing)}.`,
    }
  const say = isRevealed ? withValue : withoutValues
  const error = broken?.result instanceof Failure ? say(broken.result) : 'it answers neither true nor false'
  return {
    kind: 'filter_error',
    clause: clause.text,
    sentence: `Its filter could not be evaluated at ${clause.text}: ${error}.`,
  }
}

/** `data.status is DELIVERED and data.system is 4915••••01` */
function seen({ fields }: Clause, input: FilterInput, isRevealed: boolean): string {
  return fields
    .map((path) => {
      const value = writable(lookUp(path, input), input)
      if (value === undefined) return `there is no ${nameOf(path)}`
      const masked = isRevealed || path[0] === 'event' ? value : maskField(path.slice(1).join('.'), value)
      return `${nameOf(path)} is ${short(masked)}`
    })
    .join(' and ')
}

function lookUp(path: readonly string[], { facts }: FilterInput): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    facts,
  )
}

/** Lists and maps of large events are not written out. */
const maxWrittenLength = 5_000

function writable(value: unknown, { text }: FilterInput): unknown {
  if (typeof value === 'string') return value.slice(0, maxWrittenLength)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (text.length <= maxWrittenLength) return value
  return Array.isArray(value) ? '(a list)' : '(a map)'
}

function nameOf(path: readonly string[]): string {
  return path.join('.')
}

const longestShown = 80

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
