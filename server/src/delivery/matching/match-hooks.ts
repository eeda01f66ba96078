/**
 * Matches an event against hooks. The filters share the event's budget. A cheap event is matched in one go; any other
 * with pauses in which the process does other work.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FilterInput } from '../../model/filter/event-filter.ts'
import { maxUnitsPerSlice } from '../../model/filter/budget.ts'
import { budgetAmong, type MatchableHook, matchHook } from './match.ts'

export interface MatchedHooks<Hook> {
  matching: Hook[]
  /** Number of filters that exceeded their budget. */
  tooExpensive: number
  /** Hooks whose filter does not compile: whether they match is unknown. */
  unreadable: Hook[]
  units: number
}

/** Returns undefined if matching costs more than `maxUnits`. */
export function matchQuickly<Hook extends MatchableHook>(
  hooks: readonly Hook[],
  input: FilterInput,
  maxUnits: number,
): MatchedHooks<Hook> | undefined {
  const budget = budgetAmong(hooks, input)
  const matched: MatchedHooks<Hook> = { matching: [], tooExpensive: 0, unreadable: [], units: 0 }
  for (const hook of hooks) {
    add(matched, hook, input, Math.min(budget, maxUnits - matched.units))
    if (matched.units > maxUnits) return undefined
  }
  return matched
}

export async function matchWithPauses<Hook extends MatchableHook>(
  hooks: readonly Hook[],
  input: FilterInput,
): Promise<MatchedHooks<Hook>> {
  const budget = budgetAmong(hooks, input)
  const matched: MatchedHooks<Hook> = { matching: [], tooExpensive: 0, unreadable: [], units: 0 }
  let yieldedAt = 0
  for (const hook of hooks) {
    add(matched, hook, input, budget)
    if (matched.units - yieldedAt < maxUnitsPerSlice) continue
    await yieldToEventLoop()
    yieldedAt = matched.units
  }
  return matched
}

function add<Hook extends MatchableHook>(
  matched: MatchedHooks<Hook>,
  hook: Hook,
  input: FilterInput,
  maxUnits: number,
): void {
  const match = matchHook(hook, input, maxUnits)
  matched.units += match.units
  if (match.matches) matched.matching.push(hook)
  else if (match.why === 'too_expensive') matched.tooExpensive++
  else if (match.why === 'filter_unreadable') matched.unreadable.push(hook)
}
