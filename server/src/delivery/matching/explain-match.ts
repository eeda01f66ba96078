/**
 * Explains why an event matches a hook or not. `matchHook` decides. This module only details a mismatch: the value
 * that a plain filter compared, or the first false clause of an expression. Pure.
 */
import { normalizeNumber, evaluate, type FilterInput } from '../../model/filter/event-filter.ts'
import { createProgram } from '../../model/filter/program.ts'
import { Failure } from '../../model/filter/values.ts'
import { type Clause, clausesOf } from '../../model/filter/filter-clauses.ts'
import { withoutValues, withValue } from '../../model/filter/filter-error.ts'
import { readTypeList, type TypeList } from '../../model/filter/type-list.ts'
import { findPart } from '../../model/event-part.ts'
import { mask } from '../../model/mask.ts'
import { maskField } from '../../model/mask-data.ts'
import { matchHook } from './match.ts'

export const matchKinds = [
  'matched',
  'type',
  'filter',
  'field_missing',
  'clause',
  'filter_error',
  'filter_unreadable',
  'too_expensive',
] as const

export interface Why {
  kind: (typeof matchKinds)[number]
  /** The field that a list of values compares, or that the event does not have. */
  field?: string
  /** The value that the filter compared. */
  actual?: string
  /** The clause of an expression that decided. */
  clause?: string
  /** Why the clause could not be evaluated. */
  error?: string
  message: string
}

export interface ExplainableHook {
  eventType: string
  eventFilter: string | null
}

const celPrefix = 'cel:'

interface Explanation {
  why: Why
  /** Cost of the explanation. */
  units: number
}

/** Masks values of the event unless `isRevealed`. `maxUnits` is the budget that the filter had when it was matched. */
export function explainMatch(
  hook: ExplainableHook,
  input: FilterInput,
  maxUnits: number,
  isRevealed: boolean,
): Explanation {
  const match = matchHook({ eventType: hook.eventType, filter: hook.eventFilter }, input, maxUnits)
  const { units } = match
  const list = readTypeList(hook.eventType, hook.eventFilter)
  if (match.matches) return { why: { kind: 'matched', message: describeMatch(hook, list, input) }, units }
  if (match.why === 'type' || (match.why === 'filter' && list?.types.includes(input.type) === false))
    return {
      why: {
        kind: 'type',
        actual: input.type,
        message: describeTypeMismatch(hook, list, input),
      },
      units,
    }
  if (match.why === 'filter_unreadable')
    return {
      why: {
        kind: 'filter_unreadable',
        message: 'The filter cannot be read. It is evaluated once the webhook is saved again.',
      },
      units,
    }
  const text = hook.eventFilter ?? ''
  if (!text.startsWith(celPrefix))
    return {
      why: explainValues(text, input, match.why === 'filter' ? match.actual : null, isRevealed),
      units,
    }
  // Evaluating the clauses again costs as much as the whole expression.
  const spent = 2 * units
  const expression = text.slice(celPrefix.length)
  if (match.why === 'too_expensive') return { why: explainCost(expression, input, maxUnits), units: spent }
  return { why: explainExpression(expression, input, maxUnits, isRevealed), units: spent }
}

function describeMatch(
  { eventType, eventFilter }: ExplainableHook,
  list: TypeList | undefined,
  { type }: FilterInput,
): string {
  const isAny = eventType === 'all' && list === undefined
  const types = isAny ? 'all event types' : (findPart(eventType)?.description ?? `events of type ${type}`)
  const filter = list === undefined ? eventFilter : list.filter
  return `The webhook receives ${types}.${filter === null ? '' : ' The filter matches.'}`
}

function describeTypeMismatch(
  { eventType }: ExplainableHook,
  list: TypeList | undefined,
  { type }: FilterInput,
): string {
  if (list !== undefined)
    return `The webhook receives events of type ${list.types.join(', ')}. This event is ${type}.`
  const part = findPart(eventType)
  if (eventType === 'all')
    return `The webhook receives all event types except account events. This event is ${type}.`
  if (eventType === type) return `The event type ${type} was removed by the operator before this event.`
  if (part === undefined) return `The webhook receives events of type ${eventType}. This event is ${type}.`
  const other = part.type === type ? `another kind of ${type} event` : type
  return `The webhook was registered as ${eventType} and receives only ${part.description}. This event is ${other}.`
}

function explainValues(
  filter: string,
  { traits }: FilterInput,
  actual: string | null,
  isRevealed: boolean,
): Why {
  const field = traits.filterField
  if (field === null)
    return {
      kind: 'field_missing',
      message: 'The filter lists values, but events of this type have no field for them.',
    }
  if (actual === null)
    return {
      kind: 'field_missing',
      field,
      message: `The filter checks ${field}, which this event does not have.`,
    }
  const visible = shorten(
    isRevealed || traits.publicFields.has(field) ? actual : mask(normalizeNumber(actual)),
  )
  const values = filter.split(',').length
  return {
    kind: 'filter',
    field,
    actual: visible,
    message: `${field} is ${visible}, which is not ${values === 1 ? 'the value' : `one of the ${values} values`} of the filter.`,
  }
}

interface EvaluatedClause {
  clause: Clause
  /** Undefined: the clause exceeded the budget. */
  result: unknown
}

/** Evaluates the clauses until one is false. They share one budget, as in the expression. */
function evaluateClauses(expression: string, input: FilterInput, maxUnits: number): EvaluatedClause[] {
  const evaluated: EvaluatedClause[] = []
  let left = maxUnits
  for (const clause of clausesOf(expression)) {
    const { result, units } = evaluate(createProgram(clause.node), input, left)
    evaluated.push({ clause, result })
    left -= units
    if (result !== true && !(result instanceof Failure)) break
  }
  return evaluated
}

function explainCost(expression: string, input: FilterInput, maxUnits: number): Why {
  const clause = evaluateClauses(expression, input, maxUnits).at(-1)?.clause.text ?? expression
  const budget = maxUnits.toLocaleString('en-US')
  return {
    kind: 'too_expensive',
    clause,
    message: `The filter is too expensive for this event: it exceeded its budget of ${budget} units at ${clause}.`,
  }
}

/** Explains the first false clause; if none is false, the first that cannot be evaluated. */
function explainExpression(
  expression: string,
  input: FilterInput,
  maxUnits: number,
  isRevealed: boolean,
): Why {
  const evaluated = evaluateClauses(expression, input, maxUnits)
  const mismatch = evaluated.find(({ result }) => result !== true && !(result instanceof Failure))
  if (mismatch !== undefined) {
    const actual = describeFields(mismatch.clause, input, isRevealed)
    return {
      kind: 'clause',
      clause: mismatch.clause.text,
      ...(actual !== '' && { actual }),
      message: `The filter requires ${mismatch.clause.text}${actual === '' ? '' : `, but ${actual}`}.`,
    }
  }
  const failed = evaluated.find(({ result }) => result instanceof Failure)
  const clause = failed?.clause ?? { text: expression, fields: [] }
  const missing = clause.fields.find((path) => lookUp(path, input) === undefined)
  if (missing !== undefined)
    return {
      kind: 'field_missing',
      field: nameOf(missing),
      clause: clause.text,
      message: `The filter requires ${clause.text}, but this event has no ${nameOf(missing)}.`,
    }
  const describe = isRevealed ? withValue : withoutValues
  const error =
    failed?.result instanceof Failure ? describe(failed.result) : 'the result is neither true nor false'
  return {
    kind: 'filter_error',
    clause: clause.text,
    error,
    message: `The filter could not be evaluated at ${clause.text}: ${error}.`,
  }
}

/** `data.status is DELIVERED and data.system is 4915••••01` */
function describeFields({ fields }: Clause, input: FilterInput, isRevealed: boolean): string {
  return fields
    .map((path) => {
      const value = toSerializable(lookUp(path, input), input)
      if (value === undefined) return `there is no ${nameOf(path)}`
      const masked =
        isRevealed || path[0] === 'event'
          ? value
          : maskField(path.slice(1).join('.'), value, input.traits.publicFields)
      return `${nameOf(path)} is ${shorten(masked)}`
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

/** Lists and maps of larger events are not serialized. */
const maxSerializedLength = 5_000

function toSerializable(value: unknown, { text }: FilterInput): unknown {
  if (typeof value === 'string') return value.slice(0, maxSerializedLength)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (text.length <= maxSerializedLength) return value
  return Array.isArray(value) ? '(a list)' : '(a map)'
}

function nameOf(path: readonly string[]): string {
  return path.join('.')
}

const maxVisibleLength = 80

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxVisibleLength ? `${text.slice(0, maxVisibleLength)}…` : text
}
