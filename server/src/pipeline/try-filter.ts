/**
 * A filter tried on what has really happened: the account's newest events run through the very matcher, beside the filter
 * that the hook has now. Bounded in time; the answer says how far it came.
 */
import { setImmediate as rest } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { type CompiledFilter, compileFilter } from '../model/event-filter.ts'
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
  most: number
}

const mostMs = 300
/** Others have their turn after this. */
const mostAtOnceMs = 10
const mostSamples = 5

export async function tryFilter(db: Database, trial: Trial): Promise<Tried> {
  const { accountId, eventType, current } = trial
  const wanted = { eventType, filter: compiled(trial.filter) }
  const now = current && { eventType: current.eventType, filter: compiled(current.filter) }
  const samples: Tried['samples'] = { matched: [], notMatched: [], gained: [], lost: [] }
  const tried: Tried = { examined: 0, matched: 0, currentMatched: now ? 0 : null, samples }
  let restedAt = performance.now()
  for await (const event of recentEvents(db, accountId, eventType, trial.most, mostMs)) {
    const data = JSON.parse(event.data) as Record<string, unknown>
    const match = matchHook(wanted, event, data)
    const sample = { event, why: whyNot(match, wanted.filter?.kind) }
    tried.examined++
    if (match.matches) tried.matched++
    keep(samples[match.matches ? 'matched' : 'notMatched'], sample)
    if (now !== undefined) {
      const did = matchHook(now, event, data).matches
      if (did) tried.currentMatched = (tried.currentMatched ?? 0) + 1
      if (did !== match.matches) keep(samples[did ? 'lost' : 'gained'], sample)
    }
    if (performance.now() - restedAt < mostAtOnceMs) continue
    await rest()
    restedAt = performance.now()
  }
  return tried
}

function compiled(filter: string | null) {
  return filter === null ? null : compileFilter(filter)
}

function keep(samples: FilteredSample[], sample: FilteredSample): void {
  if (samples.length < mostSamples) samples.push(sample)
}

function whyNot(match: Match, kind: CompiledFilter['kind'] | undefined): string | null {
  if (match.matches) return null
  if (match.why === 'type') return 'It is of another type.'
  if (match.why === 'filter_error') return `The expression could not be run: ${match.error}`
  if (kind === 'cel') return `The expression answered ${match.saw}.`
  if (match.saw === null) return 'It has no inbound number to compare with.'
  return `Its inbound number ${mask(match.saw)} is not among the values.`
}
