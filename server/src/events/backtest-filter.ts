/**
 * Tests a filter on the account's newest events with the real matcher, next to the current filter of the hook.
 * Limited in time, and yields to other work by cost. The result says how many events were examined.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { EventCatalog } from '../model/event-type/catalog.ts'
import { type FilterInput, filterInput, isExpression } from '../model/filter/event-filter.ts'
import { maxUnitsPerSlice, unitsPerCharacter, unitsPerFilter } from '../model/filter/budget.ts'
import { mask } from '../model/mask.ts'
import { type RecentEvent, recentEvents } from './recent-events.ts'
import { type Match, matchesType, matchHook } from '../delivery/matching/match.ts'

export interface FilteredSample {
  event: RecentEvent
  /** Why the event does not match; null if it matches. */
  why: string | null
}

export interface BacktestResult {
  examined: number
  matched: number
  /** Matches of the hook's current filter; null if no hook was named. */
  currentMatched: number | null
  samples: Record<'matched' | 'notMatched' | 'gained' | 'lost', FilteredSample[]>
}

interface Backtest {
  accountId: number
  eventType: string
  filter: string | null
  /** The current filter of the hook, if there is one. */
  current: { eventType: string; filter: string | null } | undefined
  /** Number of expressions among the account's other hooks, by event type: they share the budget of an event. */
  otherExpressions: ReadonlyMap<string, number>
  max: number
}

const maxMs = 300
const maxSamples = 5

export async function backtestFilter(
  db: Database,
  catalog: EventCatalog,
  backtest: Backtest,
): Promise<BacktestResult> {
  const { accountId, eventType, current } = backtest
  const requested = { eventType, filter: backtest.filter }
  const samples: BacktestResult['samples'] = { matched: [], notMatched: [], gained: [], lost: [] }
  const result: BacktestResult = { examined: 0, matched: 0, currentMatched: current ? 0 : null, samples }
  let units = 0
  for await (const event of recentEvents(db, accountId, eventType, backtest.max, maxMs)) {
    const input = filterInput(event, catalog.traitsOf(event.type))
    const maxUnits = budgetOf(backtest, input)
    const match = matchHook(requested, input, maxUnits)
    const sample = { event, why: describeMismatch(match, requested.filter) }
    units += match.units + unitsPerCharacter * event.data.length
    result.examined++
    if (match.matches) result.matched++
    addSample(samples[match.matches ? 'matched' : 'notMatched'], sample)
    if (current !== undefined) {
      const currentMatch = matchHook(current, input, maxUnits)
      units += currentMatch.units
      if (currentMatch.matches) result.currentMatched = (result.currentMatched ?? 0) + 1
      if (currentMatch.matches !== match.matches)
        addSample(samples[currentMatch.matches ? 'lost' : 'gained'], sample)
    }
    if (units < maxUnitsPerSlice) continue
    await yieldToEventLoop()
    units = 0
  }
  return result
}

function budgetOf({ otherExpressions, filter }: Backtest, input: FilterInput): number {
  let expressions = isExpression(filter) ? 1 : 0
  for (const [eventType, count] of otherExpressions)
    if (matchesType({ eventType, filter: null }, input)) expressions += count
  return unitsPerFilter(expressions)
}

function addSample(samples: FilteredSample[], sample: FilteredSample): void {
  if (samples.length < maxSamples) samples.push(sample)
}

function describeMismatch(match: Match, filter: string | null): string | null {
  if (match.matches) return null
  if (match.why === 'type') return 'Different event type.'
  if (match.why === 'filter_error' || match.why === 'filter_unreadable')
    return `The expression could not be evaluated: ${match.error}`
  if (match.why === 'too_expensive') return 'The expression exceeds its budget on this event.'
  if (isExpression(filter)) return `The expression returned ${match.actual}.`
  if (match.actual === null) return 'The event has no inbound number.'
  return `Inbound number ${mask(match.actual)} is not one of the values.`
}
