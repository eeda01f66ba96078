/**
 * A filter tried on what has really happened: the account's newest events run through the very matcher, beside the filter
 * that the hook has now. Bounded in time, and it yields to others by what it has cost; the answer says how far it came.
 */
import { setImmediate as rest } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { filterInput, isExpression } from '../model/event-filter.ts'
import { maxUnitsPerSlice, unitsPerFilter } from '../model/filter/budget.ts'
import type { EventType } from '../model/hook.ts'
import { mask } from '../model/mask.ts'
import { type RecentEvent, recentEvents } from './ledger/recent-events.ts'
import { type Match, matchHook } from './matching/match.ts'

export interface FilteredSample {
  event: RecentEvent
  /** Why it does not match; null: it does. */
  why: string | null
}

export interface Tried {
  examined: number
  matched: number
  /** By the filter that the hook has now; null: no hook was named. */
  currentMatched: number | null
  samples: Record<'matched' | 'notMatched' | 'gained' | 'lost', FilteredSample[]>
}

interface Trial {
  accountId: number
  eventType: EventType
  filter: string | null
  /** What the hook has now, if there is one. */
  current: { eventType: EventType; filter: string | null } | undefined
  /** Expressions of the account's other hooks, by the type they want: they share the budget of an event. */
  otherExpressions: ReadonlyMap<EventType, number>
  most: number
}

const mostMs = 300
const mostSamples = 5
/** What reading an event takes, by its length. */
const unitsPerCharacter = 20

export async function tryFilter(db: Database, trial: Trial): Promise<Tried> {
  const { accountId, eventType, current: now } = trial
  const wanted = { eventType, filter: trial.filter }
  const samples: Tried['samples'] = { matched: [], notMatched: [], gained: [], lost: [] }
  const tried: Tried = { examined: 0, matched: 0, currentMatched: now ? 0 : null, samples }
  let units = 0
  for await (const event of recentEvents(db, accountId, eventType, trial.most, mostMs)) {
    const input = filterInput(event)
    const maxUnits = budgetOf(trial, event.type)
    const match = matchHook(wanted, input, maxUnits)
    const sample = { event, why: whyNot(match, wanted.filter) }
    units += match.units + unitsPerCharacter * event.data.length
    tried.examined++
    if (match.matches) tried.matched++
    keep(samples[match.matches ? 'matched' : 'notMatched'], sample)
    if (now !== undefined) {
      const did = matchHook(now, input, maxUnits)
      units += did.units
      if (did.matches) tried.currentMatched = (tried.currentMatched ?? 0) + 1
      if (did.matches !== match.matches) keep(samples[did.matches ? 'lost' : 'gained'], sample)
    }
    if (units < maxUnitsPerSlice) continue
    await rest()
    units = 0
  }
  return tried
}

function budgetOf({ otherExpressions: others, filter }: Trial, type: EventType): number {
  return unitsPerFilter((others.get('all') ?? 0) + (others.get(type) ?? 0) + (isExpression(filter) ? 1 : 0))
}

function keep(samples: FilteredSample[], sample: FilteredSample): void {
  if (samples.length < mostSamples) samples.push(sample)
}

function whyNot(match: Match, filter: string | null): string | null {
  if (match.matches) return null
  if (match.why === 'type') return 'It is of another type.'
  if (match.why === 'filter_error' || match.why === 'filter_unreadable')
    return `The expression could not be run: ${match.error}`
  if (match.why === 'too_expensive')
    return 'The expression is too expensive for this event: it exceeds its budget.'
  if (isExpression(filter)) return `The expression answered ${match.saw}.`
  if (match.saw === null) return 'It has no inbound number to compare with.'
  return `Its inbound number ${mask(match.saw)} is not among the values.`
}
