/**
 * Route: matches fresh events against the current hooks of their account, and commits the matches.
 *   hooks at their version → match → one commit → deliver what was leased
 * A commit that finds newer hooks is repeated with those. Events with expensive filters are left for a separate call,
 * so the others do not wait for them.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EventTypes } from '../catalog/follow-event-types.ts'
import type { AccountHooks, CachedHook, HookCache } from '../hooks/hook-cache.ts'
import type { LeasedDelivery } from '../model/delivery/delivery.ts'
import type { Event } from '../model/event.ts'
import type { EventTraits } from '../model/event-traits.ts'
import { filterInput } from '../model/filter/event-filter.ts'
import { maxEventUnits, maxUnitsPerSlice } from '../model/filter/budget.ts'
import { runIsolated } from '../runtime/batch.ts'
import { type MatchedHooks, matchQuickly, matchWithPauses } from './matching/match-hooks.ts'
import type { Slot, Slots } from './slots.ts'
import type { RoutedEvent, RouteResult } from './queue/commit-route.ts'
import type { IsHoldFull } from './queue/held.ts'
import type { FreshEvent } from './queue/inbox.ts'
import type { LeaseTerms } from './queue/lease.ts'
import type { DeliveryQueue } from './queue/queue.ts'

/** A delivery with the slot reserved for its attempt. */
export interface SlottedDelivery extends LeasedDelivery {
  slot: Slot
}

interface RouteDeps {
  store: DeliveryQueue
  hooks: HookCache
  eventTypes: EventTypes
  lease: LeaseTerms
  /** The span of this route, if it is recorded. */
  routedIn?: string | undefined
  /** Slots for attempts. A delivery without a slot becomes due. */
  slots: Slots
  isHoldFull: IsHoldFull
  onUnroutable: (event: Event, error: unknown) => void
  onTooExpensive: (filters: number) => void
}

/**
 * Overflow: deliveries without a slot, now due for any worker; `inLine` of them wait for their turn. Left: events that are
 * too expensive for this call and not routed yet.
 */
interface Routed {
  placed: SlottedDelivery[]
  overflow: number
  inLine: number
  left: FreshEvent[]
}

/**
 * `quick` routes cheap events, at most 50 microseconds each. `slow` routes any, round-robin over accounts, until they
 * have cost the budget of one event.
 */
export type RoutePace = 'quick' | 'slow'

const maxQuickUnits = 50_000
/** Cost of parsing an event, which its filters are not charged for. */
const parseUnitsPerCharacter = 10

export async function route(deps: RouteDeps, fresh: readonly FreshEvent[], pace: RoutePace): Promise<Routed> {
  const placed: SlottedDelivery[] = []
  const left = new Set<Event>()
  let overflow = 0
  let inLine = 0
  let unrouted = fresh.map(({ event }) => event)
  await deps.hooks.load(accountsOf(unrouted.filter((event) => deps.hooks.get(event.accountId) === undefined)))
  // The process that accepted an event may know a type that this one does not know yet.
  if (unrouted.some(({ type }) => !deps.eventTypes.current().types.includes(type)))
    await deps.eventTypes.refresh()
  while (unrouted.length > 0) {
    const matched = await matchAll(deps, pace === 'quick' ? unrouted : roundRobin(unrouted), pace, left)
    if (matched.length === 0) break
    const results = await commitIsolated(deps, matched)
    for (const [index, event] of matched.entries()) {
      const result = results[index]
      if (result?.state === 'routed') {
        placed.push(...takePlaced(deps, event, result.deferred))
        overflow += event.matches.filter(({ disposition }) => disposition === 'due').length
        inLine += event.matches.filter((match) => match.isInLine).length
      } else releaseAll(deps, event)
    }
    unrouted = matched.filter((_, index) => results[index]?.state === 'stale').map(({ event }) => event)
    await deps.hooks.load(accountsOf(unrouted))
  }
  return { placed, overflow, inLine, left: fresh.filter(({ event }) => left.has(event)) }
}

/** Commits events. An event whose commit is rejected alone stays in the inbox, like one that cannot be matched. */
async function commitIsolated(
  deps: RouteDeps,
  matched: MatchedEvent[],
): Promise<Array<RouteResult | undefined>> {
  const committed = await runIsolated(
    (events) => deps.store.commitRoute(events, deps.lease),
    matched,
    (error) => !deps.store.isUnavailable(error),
  )
  const failed = committed.filter((result) => result.status === 'rejected')
  if (failed.length === matched.length && failed.every(({ reason }) => deps.store.isUnavailable(reason))) {
    for (const event of matched) releaseAll(deps, event)
    throw failed[0]?.reason
  }
  return committed.map((result, index) => {
    if (result.status === 'fulfilled') return result.value
    const event = matched[index]?.event
    if (event !== undefined) deps.onUnroutable(event, result.reason)
    return undefined
  })
}

interface MatchedEvent extends RoutedEvent {
  /** Cost of matching the event. */
  units: number
  matches: ReadonlyArray<RoutedEvent['matches'][number] & { slot: Slot | undefined; isInLine: boolean }>
}

/** Returns the deliveries to attempt now. A hook whose breaker is open or has just closed gets the event later. */
function takePlaced(
  { slots, routedIn }: RouteDeps,
  { event, matches }: MatchedEvent,
  deferred: Extract<RouteResult, { state: 'routed' }>['deferred'],
): SlottedDelivery[] {
  const later = new Map(deferred.map(({ hookId, recoveredMs }) => [hookId, recoveredMs]))
  return matches.flatMap(({ hookId, slot }) => {
    if (slot === undefined) return []
    const recoveredMs = later.get(hookId)
    if (recoveredMs === undefined)
      return [{ event, slot, hookId, round: 1, attempts: 0, faults: 0, routedIn }]
    if (recoveredMs !== null) slots.enterSlowStart(hookId, recoveredMs)
    slots.release(slot)
    return []
  })
}

function releaseAll({ slots }: RouteDeps, { matches }: MatchedEvent): void {
  for (const { slot } of matches) if (slot !== undefined) slots.release(slot)
}

/** Orders events round-robin by account: the first event of each, then the second of each, and so on. */
function roundRobin(events: readonly Event[]): Event[] {
  const seen = new Map<number, number>()
  const ranked = events.map((event) => {
    const rank = seen.get(event.accountId) ?? 0
    seen.set(event.accountId, rank + 1)
    return { event, rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ event }) => event)
}

/** Matches events. An event that cannot be matched stays in the inbox, is counted, and does not block the others. */
async function matchAll(
  deps: RouteDeps,
  events: readonly Event[],
  pace: RoutePace,
  left: Set<Event>,
): Promise<MatchedEvent[]> {
  const matched: MatchedEvent[] = []
  let units = 0
  let unitsSinceYield = 0
  for (const event of events)
    try {
      const isBudgetSpent = pace === 'slow' && units > maxEventUnits
      const result = isBudgetSpent ? undefined : await matchEvent(deps, event, pace)
      if (result === undefined) left.add(event)
      else matched.push(result)
      const cost = result?.units ?? maxQuickUnits
      units += cost
      unitsSinceYield += cost + event.data.length * parseUnitsPerCharacter
      if (unitsSinceYield < maxUnitsPerSlice) continue
      await yieldToEventLoop()
      unitsSinceYield = 0
    } catch (error) {
      if (deps.store.isUnavailable(error)) {
        for (const earlier of matched) releaseAll(deps, earlier)
        throw error
      }
      deps.onUnroutable(event, error)
    }
  return matched
}

/** Returns undefined if the event is too expensive for this pace. */
async function matchEvent(deps: RouteDeps, event: Event, pace: RoutePace): Promise<MatchedEvent | undefined> {
  const account = deps.hooks.get(event.accountId)
  const stopsVersion = deps.hooks.stopsVersion()
  if (account === undefined) return { event, version: '-1', stopsVersion, matches: [], units: 0 }
  const traits = deps.eventTypes.current().traitsOf(event.type)
  const matchedHooks = await matchingHooks(account, event, traits, pace)
  if (matchedHooks === undefined) return undefined
  const { matching, tooExpensive, unreadable, units } = matchedHooks
  if (tooExpensive > 0) deps.onTooExpensive(tooExpensive)
  if (unreadable.length > 0)
    deps.hooks.reportUnreadableFilters(
      event.accountId,
      unreadable.map(({ id }) => id),
    )
  const fullHooks = new Set<number>()
  for (const { id, enabled } of matching)
    if (!enabled && (await deps.isHoldFull(event.accountId, id))) fullHooks.add(id)
  // Nothing fails from here on, so no slot stays reserved for an event that is not routed.
  const matches = matching.map((hook) => {
    const { id: hookId, host } = hook
    const isStartingSlowly = deps.slots.isStartingSlowly(hookId)
    const base = {
      hookId,
      host,
      isStartingSlowly,
      matchPending: hook.matchPending ?? false,
      slot: undefined,
      isInLine: false,
    }
    if (!hook.enabled)
      return { ...base, disposition: fullHooks.has(hookId) ? ('dropped' as const) : ('held' as const) }
    if (hook.isUnloadable || deps.hooks.findStop(event.accountId, hook) !== undefined)
      return { ...base, disposition: 'due' as const }
    const slot = deps.slots.reserve(event.accountId, hook, 'fresh')
    return typeof slot === 'string'
      ? { ...base, disposition: 'due' as const, isInLine: slot === 'slowLimit' }
      : { ...base, disposition: 'leased' as const, slot }
  })
  return { event, version: account.version, stopsVersion, matches, units }
}

/**
 * Returns the matching hooks. Disabled hooks match too: their events are held. So do hooks that cannot be loaded. A
 * hook whose filter cannot be read gets every event of its type; its filter is evaluated before the first attempt.
 */
async function matchingHooks(
  account: AccountHooks,
  event: Event,
  traits: EventTraits,
  pace: RoutePace,
): Promise<MatchedHooks<MatchingHook> | undefined> {
  const hooks: MatchingHook[] = [...account.hooks.values()]
  for (const { id, eventType, enabled, filter } of account.unloadable.values())
    hooks.push({ id, eventType, enabled, filter, host: '', maxPerSecond: null, isUnloadable: true })
  // A test checks the receiver, not the filter.
  if (event.testHookId != null)
    return {
      matching: hooks.filter(({ id }) => id === event.testHookId),
      tooExpensive: 0,
      unreadable: [],
      units: 0,
    }
  const input = filterInput(event, traits)
  const matched =
    pace === 'quick' ? matchQuickly(hooks, input, maxQuickUnits) : await matchWithPauses(hooks, input)
  if (matched === undefined || matched.unreadable.length === 0) return matched
  const pending = matched.unreadable.map((hook) => ({ ...hook, isUnloadable: true, matchPending: true }))
  return { ...matched, matching: [...matched.matching, ...pending] }
}

interface MatchingHook extends Pick<
  CachedHook,
  'id' | 'host' | 'eventType' | 'enabled' | 'filter' | 'maxPerSecond'
> {
  isUnloadable?: boolean
  matchPending?: boolean
}

function accountsOf(events: readonly Event[]): number[] {
  return events.map((event) => event.accountId)
}
