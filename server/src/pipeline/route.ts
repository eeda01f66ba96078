/**
 * Route: fresh events are matched against the hooks of their account as they are now, and what matched is committed.
 *   hooks at their version → match → one commit → deliver what was leased
 * A commit that finds other hooks than were matched against is repeated with those.
 */
import type { AccountHooks, DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Event } from '../model/event.ts'
import { matchHook } from './matching/match.ts'
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
}

/** An event that broke its worker this often is set aside for a person to look at. */
const mostTries = 5

/** Overflow: how many found no place and are due for whoever has one. */
interface Routed {
  placed: PlacedDelivery[]
  overflow: number
}

export async function route(parts: RouteParts, fresh: readonly FreshEvent[]): Promise<Routed> {
  const poisonous = fresh.filter(({ tries }) => tries > mostTries).map(({ event }) => event)
  if (poisonous.length > 0) await parts.store.park(poisonous, `could not be routed in ${mostTries} tries`)

  const placed: PlacedDelivery[] = []
  let overflow = 0
  let open = fresh.filter(({ tries }) => tries <= mostTries).map(({ event }) => event)
  await parts.hooks.load(accountsOf(open.filter((event) => parts.hooks.get(event.accountId) === undefined)))
  while (open.length > 0) {
    const matched = await matchAll(parts, open)
    const results = await parts.store.commitRoute(matched, parts.lease).catch((error: unknown) => {
      for (const event of matched) giveBackAll(parts, event)
      throw error
    })
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
  return { placed, overflow }
}

interface MatchedEvent extends RoutedEvent {
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
    if (recoveredMs === undefined) return [{ event, slot, hookId, round: 1, attempts: 0 }]
    if (recoveredMs !== null) slots.startSlowly(hookId, recoveredMs)
    slots.giveBack(slot)
    return []
  })
}

function giveBackAll({ slots }: RouteParts, { matches }: MatchedEvent): void {
  for (const { slot } of matches) if (slot !== undefined) slots.giveBack(slot)
}

/** An event that cannot be matched stays in the inbox, counted, and keeps no other from its way. */
async function matchAll(parts: RouteParts, events: readonly Event[]): Promise<MatchedEvent[]> {
  const matched: MatchedEvent[] = []
  for (const event of events)
    try {
      matched.push(await matchEvent(parts, event))
    } catch (error) {
      if (parts.store.isUnavailable(error)) {
        for (const earlier of matched) giveBackAll(parts, earlier)
        throw error
      }
      parts.onUnroutable(event, error)
    }
  return matched
}

async function matchEvent(parts: RouteParts, event: Event): Promise<MatchedEvent> {
  const account = parts.hooks.get(event.accountId)
  if (account === undefined) return { event, version: '-1', matches: [] }
  const matching = matchingHooks(account, event)
  const full = new Set<number>()
  for (const { id, enabled } of matching)
    if (!enabled && (await parts.isHoldFull(event.accountId, id))) full.add(id)
  // From here on nothing fails, so no place is taken for an event that is not routed.
  const matches = matching.map((hook) => {
    const { id: hookId, host } = hook
    const isStartingSlowly = parts.slots.isStartingSlowly(hookId)
    const about = { hookId, host, isStartingSlowly, slot: undefined }
    if (!hook.enabled)
      return { ...about, becomes: full.has(hookId) ? ('dropped' as const) : ('held' as const) }
    const slot = parts.slots.reserve(event.accountId, hook, 'fresh')
    return typeof slot === 'string'
      ? { ...about, becomes: 'due' as const }
      : { ...about, becomes: 'leased' as const, slot }
  })
  return { event, version: account.version, matches }
}

/** Disabled hooks match too: what they would have received is held for them. */
function matchingHooks(account: AccountHooks, event: Event) {
  // A test asks whether the receiver answers, not whether the filter fits.
  if (event.testHookId != null) return [...account.hooks.values()].filter(({ id }) => id === event.testHookId)
  const data = JSON.parse(event.data) as Record<string, unknown>
  return [...account.hooks.values()].filter((hook) => matchHook(hook, event, data).matches)
}

function accountsOf(events: readonly Event[]): number[] {
  return events.map((event) => event.accountId)
}
