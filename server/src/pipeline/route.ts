/**
 * Route: fresh events are matched against the hooks of their account as they are now, and what matched is committed.
 *   hooks at their version → match → one commit → deliver what was leased
 * A commit that finds other hooks than were matched against is repeated with those. Events whose filters cost much are
 * left for a call of their own, so that the others do not wait for them.
 */
import { setImmediate as rest } from 'node:timers/promises'
import type { AccountHooks, DeliveryHook, DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Event } from '../model/event.ts'
import { filterInput } from '../model/event-filter.ts'
import { maxEventUnits, maxUnitsPerSlice } from '../model/filter/budget.ts'
import { runIsolated } from '../ops/batch.ts'
import { type MatchedHooks, matchQuickly, matchWithPauses } from './matching/match-hooks.ts'
import type { Slot, Slots } from './slots.ts'
import type { FreshEvent } from './sources/source.ts'
import type { RoutedEvent, RouteResult } from './work/commit-route.ts'
import type { IsHoldFull } from './work/held.ts'
import type { LeaseTerms, WorkStore } from './work/work-store.ts'

export interface LeasedDelivery {
  event: Event
  hookId: number
  round: number
  attempts: number
  /** Faults of ours in a row, which are no attempts. */
  faults: number
  /** Whether its hook's filter matches is not decided yet. */
  matchPending?: boolean
}

/** With the place that was taken for its attempt. */
export interface PlacedDelivery extends LeasedDelivery {
  slot: Slot
}

interface RouteParts {
  store: WorkStore
  hooks: DeliveryHooks
  lease: LeaseTerms
  /** Places for attempts: what finds none waits as due work. */
  slots: Slots
  isHoldFull: IsHoldFull
  onUnroutable: (event: Event, error: unknown) => void
  onTooExpensive: (filters: number) => void
}

/**
 * Overflow: how many found no place and are due for whoever has one. Left: events that cost too much for this call and
 * are not routed yet.
 */
interface Routed {
  placed: PlacedDelivery[]
  overflow: number
  left: FreshEvent[]
}

/**
 * `quick` takes the events that are cheap to match, at most 50 microseconds each. `slow` takes any, one of each account in
 * turn, until they have cost what one event may.
 */
export type RoutePace = 'quick' | 'slow'

const maxQuickUnits = 50_000

export async function route(
  parts: RouteParts,
  fresh: readonly FreshEvent[],
  pace: RoutePace,
): Promise<Routed> {
  const placed: PlacedDelivery[] = []
  const left = new Set<Event>()
  let overflow = 0
  let open = fresh.map(({ event }) => event)
  await parts.hooks.load(accountsOf(open.filter((event) => parts.hooks.get(event.accountId) === undefined)))
  while (open.length > 0) {
    const matched = await matchAll(parts, pace === 'quick' ? open : inTurns(open), pace, left)
    if (matched.length === 0) break
    const results = await commitIsolated(parts, matched)
    for (const [place, event] of matched.entries()) {
      const result = results[place]
      if (result?.state === 'routed') {
        placed.push(...placedOf(parts, event, result.deferred))
        overflow += event.matches.filter(({ becomes }) => becomes === 'due').length
      } else giveBackAll(parts, event)
    }
    open = matched.filter((_, place) => results[place]?.state === 'stale').map(({ event }) => event)
    await parts.hooks.load(accountsOf(open))
  }
  return { placed, overflow, left: fresh.filter(({ event }) => left.has(event)) }
}

/** An event whose commit is refused alone stays in the inbox, as one that cannot be matched does. */
async function commitIsolated(
  parts: RouteParts,
  matched: MatchedEvent[],
): Promise<Array<RouteResult | undefined>> {
  const committed = await runIsolated(
    (events) => parts.store.commitRoute(events, parts.lease),
    matched,
    (error) => !parts.store.isUnavailable(error),
  )
  const failed = committed.filter((result) => result.status === 'rejected')
  if (failed.length === matched.length && failed.every(({ reason }) => parts.store.isUnavailable(reason))) {
    for (const event of matched) giveBackAll(parts, event)
    throw failed[0]?.reason
  }
  return committed.map((result, index) => {
    if (result.status === 'fulfilled') return result.value
    const event = matched[index]?.event
    if (event !== undefined) parts.onUnroutable(event, result.reason)
    return undefined
  })
}

interface MatchedEvent extends RoutedEvent {
  /** What it has cost to match it. */
  units: number
  matches: ReadonlyArray<RoutedEvent['matches'][number] & { slot: Slot | undefined }>
}

/** What is to be attempted now. A hook whose breaker is open or has just closed gets it in its turn. */
function placedOf(
  { slots }: RouteParts,
  { event, matches }: MatchedEvent,
  deferred: Extract<RouteResult, { state: 'routed' }>['deferred'],
): PlacedDelivery[] {
  const later = new Map(deferred.map(({ hookId, recoveredMs }) => [hookId, recoveredMs]))
  return matches.flatMap(({ hookId, slot }) => {
    if (slot === undefined) return []
    const recoveredMs = later.get(hookId)
    if (recoveredMs === undefined) return [{ event, slot, hookId, round: 1, attempts: 0, faults: 0 }]
    if (recoveredMs !== null) slots.startSlowly(hookId, recoveredMs)
    slots.giveBack(slot)
    return []
  })
}

function giveBackAll({ slots }: RouteParts, { matches }: MatchedEvent): void {
  for (const { slot } of matches) if (slot !== undefined) slots.giveBack(slot)
}

/** The first event of each account, then the second of each, and so on. */
function inTurns(events: readonly Event[]): Event[] {
  const seen = new Map<number, number>()
  const turns = events.map((event) => {
    const turn = seen.get(event.accountId) ?? 0
    seen.set(event.accountId, turn + 1)
    return { event, turn }
  })
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ event }) => event)
}

/** An event that cannot be matched stays in the inbox, counted, and keeps no other from its way. */
async function matchAll(
  parts: RouteParts,
  events: readonly Event[],
  pace: RoutePace,
  left: Set<Event>,
): Promise<MatchedEvent[]> {
  const matched: MatchedEvent[] = []
  let units = 0
  let restedAt = 0
  for (const event of events)
    try {
      const isEnough = pace === 'slow' && units > maxEventUnits
      const result = isEnough ? undefined : await matchEvent(parts, event, pace)
      if (result === undefined) left.add(event)
      else matched.push(result)
      units += result?.units ?? maxQuickUnits
      if (units - restedAt < maxUnitsPerSlice) continue
      await rest()
      restedAt = units
    } catch (error) {
      if (parts.store.isUnavailable(error)) {
        for (const earlier of matched) giveBackAll(parts, earlier)
        throw error
      }
      parts.onUnroutable(event, error)
    }
  return matched
}

/** Undefined: it costs too much for this pace. */
async function matchEvent(
  parts: RouteParts,
  event: Event,
  pace: RoutePace,
): Promise<MatchedEvent | undefined> {
  const account = parts.hooks.get(event.accountId)
  const stopsVersion = parts.hooks.stopsVersion()
  if (account === undefined) return { event, version: '-1', stopsVersion, matches: [], units: 0 }
  const matchedHooks = await matchingHooks(account, event, pace)
  if (matchedHooks === undefined) return undefined
  const { matching, tooExpensive, unreadable, units } = matchedHooks
  if (tooExpensive > 0) parts.onTooExpensive(tooExpensive)
  if (unreadable.length > 0)
    parts.hooks.reportUnreadableFilters(
      event.accountId,
      unreadable.map(({ id }) => id),
    )
  const full = new Set<number>()
  for (const { id, enabled } of matching)
    if (!enabled && (await parts.isHoldFull(event.accountId, id))) full.add(id)
  // From here on nothing fails, so no place is taken for an event that is not routed.
  const matches = matching.map((hook) => {
    const { id: hookId, host } = hook
    const isStartingSlowly = parts.slots.isStartingSlowly(hookId)
    const about = {
      hookId,
      host,
      isStartingSlowly,
      matchPending: hook.matchPending ?? false,
      slot: undefined,
    }
    if (!hook.enabled)
      return { ...about, becomes: full.has(hookId) ? ('dropped' as const) : ('held' as const) }
    if (hook.isUnloadable || parts.hooks.findStop(event.accountId, hook) !== undefined)
      return { ...about, becomes: 'due' as const }
    const slot = parts.slots.reserve(event.accountId, hook, 'fresh')
    return typeof slot === 'string'
      ? { ...about, becomes: 'due' as const }
      : { ...about, becomes: 'leased' as const, slot }
  })
  return { event, version: account.version, stopsVersion, matches, units }
}

/**
 * Disabled hooks match too: what they would have received is held for them. So do hooks that cannot be loaded; one whose
 * filter cannot be read gets every event of its type, and decides about each when it can.
 */
async function matchingHooks(
  account: AccountHooks,
  event: Event,
  pace: RoutePace,
): Promise<MatchedHooks<MatchingHook> | undefined> {
  const hooks: MatchingHook[] = [...account.hooks.values()]
  for (const { id, eventType, enabled, filter } of account.unloadable.values())
    hooks.push({ id, eventType, enabled, filter, host: '', mostPerSecond: null, isUnloadable: true })
  // A test asks whether the receiver answers, not whether the filter fits.
  if (event.testHookId != null)
    return {
      matching: hooks.filter(({ id }) => id === event.testHookId),
      tooExpensive: 0,
      unreadable: [],
      units: 0,
    }
  const input = filterInput(event)
  const matched =
    pace === 'quick' ? matchQuickly(hooks, input, maxQuickUnits) : await matchWithPauses(hooks, input)
  if (matched === undefined || matched.unreadable.length === 0) return matched
  const pending = matched.unreadable.map((hook) => ({ ...hook, isUnloadable: true, matchPending: true }))
  return { ...matched, matching: [...matched.matching, ...pending] }
}

interface MatchingHook extends Pick<
  DeliveryHook,
  'id' | 'host' | 'eventType' | 'enabled' | 'filter' | 'mostPerSecond'
> {
  isUnloadable?: boolean
  matchPending?: boolean
}

function accountsOf(events: readonly Event[]): number[] {
  return events.map((event) => event.accountId)
}
