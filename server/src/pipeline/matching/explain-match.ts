/**
 * Why a hook wants an event or not, in words. What decides is `matchHook` itself; this only looks closer at a "no": which
 * value a plain filter saw, which clause of an expression was the first to fail. Pure.
 */
import type { Event } from '../../model/event.ts'
import { comparable, compileFilter } from '../../model/event-filter.ts'
import { type Clause, clausesOf } from '../../model/filter-clauses.ts'
import { firstLine, withoutValues } from '../../model/filter-error.ts'
import type { EventType } from '../../model/hook.ts'
import { mask } from '../../model/mask.ts'
import { maskField } from '../../model/mask-data.ts'
import { matchHook } from './match.ts'

export interface Why {
  kind: 'matched' | 'type' | 'filter' | 'field_missing' | 'clause' | 'filter_error'
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

/** Unless `isRevealed`, values of the event are masked. */
export function explainMatch(hook: ExplainableHook, event: Event, isRevealed: boolean): Why {
  const data = JSON.parse(event.data) as Record<string, unknown>
  const filter = hook.eventFilter === null ? null : compileFilter(hook.eventFilter)
  const match = matchHook({ eventType: hook.eventType, filter }, event, data)
  if (match.matches) return { kind: 'matched', sentence: matchedSentence(hook, event) }
  if (match.why === 'type')
    return {
      kind: 'type',
      saw: event.type,
      sentence: `It wants events of type ${hook.eventType}, and this one is ${event.type}.`,
    }
  const text = hook.eventFilter ?? ''
  if (text.startsWith(celPrefix))
    return explainExpression(text.slice(celPrefix.length), event, data, isRevealed)
  return explainValues(text, event, match.why === 'filter' ? match.saw : null, isRevealed)
}

function matchedSentence({ eventType, eventFilter }: ExplainableHook, { type }: Event): string {
  const wants = eventType === 'all' ? 'It wants events of every type' : `It wants events of type ${type}`
  return eventFilter === null ? `${wants}.` : `${wants}, and its filter fits.`
}

function explainValues(filter: string, { type }: Event, saw: string | null, isRevealed: boolean): Why {
  const field = type === 'rcs' ? 'agent_id' : 'system'
  if (saw === null)
    return {
      kind: 'field_missing',
      sentence: `Its filter is compared with ${field}, which this event does not have.`,
    }
  const shown = isRevealed || field === 'agent_id' ? saw : mask(comparable(saw))
  const values = filter.split(',').length
  return {
    kind: 'filter',
    saw: shown,
    sentence: `${field} is ${shown}, which is not ${values === 1 ? 'the value' : `one of the ${values} values`} of its filter.`,
  }
}

type Facts = Record<'event' | 'data', Record<string, unknown>>

/** The first clause that says no; where none does, the first that cannot be evaluated. */
function explainExpression(
  expression: string,
  event: Event,
  data: Record<string, unknown>,
  isRevealed: boolean,
): Why {
  const facts: Facts = { event: { id: event.id, type: event.type, accepted_at: event.acceptedAt }, data }
  const say = isRevealed ? firstLine : withoutValues
  const run = clausesOf(expression).map((clause) => ({ clause, ...evaluate(clause.text, facts) }))
  const no = run.find(({ answer, error }) => error === undefined && answer !== true)
  if (no !== undefined) {
    const saw = seen(no.clause, facts, isRevealed)
    return {
      kind: 'clause',
      clause: no.clause.text,
      ...(saw !== '' && { saw }),
      sentence: `Its filter needs ${no.clause.text}${saw === '' ? '' : `, and ${saw}`}.`,
    }
  }
  const broken = run.find(({ error }) => error !== undefined)
  const clause = broken?.clause ?? { text: expression, fields: [] }
  const missing = clause.fields.find((path) => lookUp(path, facts) === undefined)
  if (missing !== undefined)
    return {
      kind: 'field_missing',
      clause: clause.text,
      sentence: `Its filter needs ${clause.text}, and this event has no ${nameOf(missing)}.`,
    }
  const error = broken === undefined ? 'it answers neither true nor false' : say(broken.error)
  return {
    kind: 'filter_error',
    clause: clause.text,
    sentence: `Its filter could not be evaluated at ${clause.text}: ${error}.`,
  }
}

function evaluate(clause: string, facts: Facts): { answer?: unknown; error?: unknown } {
  try {
    const filter = compileFilter(`${celPrefix}${clause}`)
    return { answer: filter.kind === 'cel' ? filter.evaluate(facts) : undefined }
  } catch (error) {
    return { error }
  }
}

/** `data.status is DELIVERED and data.system is 4915••••01` */
function seen({ fields }: Clause, facts: Facts, isRevealed: boolean): string {
  return fields
    .map((path) => {
      const value = lookUp(path, facts)
      if (value === undefined) return `there is no ${nameOf(path)}`
      const shown = isRevealed || path[0] === 'event' ? value : maskField(path.slice(1).join('.'), value)
      return `${nameOf(path)} is ${short(shown)}`
    })
    .join(' and ')
}

function lookUp(path: readonly string[], facts: Facts): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    facts,
  )
}

function nameOf(path: readonly string[]): string {
  return path.join('.')
}

const longestShown = 80

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
