/** Decides whether an event matches a hook. Pure. A mismatch has the reason, in values that can be shown. */
import { cachedFilter } from '../../model/filter/filter-cache.ts'
import {
  type FilterInput,
  type FilterResult,
  isExpression,
  runFilter,
} from '../../model/filter/event-filter.ts'
import { unitsPerFilter } from '../../model/filter/budget.ts'
import { firstLine } from '../../model/filter/filter-error.ts'
import { findPart } from '../../model/event-part.ts'
import { isAccountEvent } from '../../model/event-type/account-event.ts'
import { startsWithType } from '../../model/filter/type-list.ts'

export type Match =
  | FilterResult
  | { matches: false; why: 'type'; units: number }
  | { matches: false; why: 'filter_unreadable'; error: string; units: number }

export interface MatchableHook {
  eventType: string
  filter: string | null
}

export function matchHook(hook: MatchableHook, input: FilterInput, maxUnits: number): Match {
  if (!matchesType(hook, input)) return { matches: false, why: 'type', units: 0 }
  if (hook.filter === null) return { matches: true, units: 0 }
  const { filter, units, error } = cachedFilter(hook.filter)
  if (filter === undefined)
    return { matches: false, why: 'filter_unreadable', error: firstLine(error), units }
  const result = runFilter(filter, input, maxUnits)
  return { ...result, units: result.units + units }
}

export function matchesType(hook: MatchableHook, input: FilterInput): boolean {
  // Account events are only for hooks that name them, in a list of types too.
  if (hook.eventType === 'all') return !isAccountEvent(input.type) || startsWithType(hook.filter, input.type)
  if (hook.eventType === input.type) return !input.isTypeRemoved
  const part = findPart(hook.eventType)
  return part?.type === input.type && part.includes(input.facts.data)
}

/** Returns the budget of each expression among these hooks: they share the event's budget. */
export function budgetAmong(hooks: Iterable<MatchableHook>, input: FilterInput): number {
  let expressions = 0
  for (const hook of hooks) if (isExpression(hook.filter) && matchesType(hook, input)) expressions++
  return unitsPerFilter(expressions)
}
