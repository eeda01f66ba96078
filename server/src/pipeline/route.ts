/**
 * Route: fresh events are matched against the hooks of their account as they are now, and what matched is committed.
 *   hooks at their version → match → one commit → deliver what was leased
 * A commit that finds other hooks than were matched against is repeated with those.
 */
import type { AccountHooks, DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Event } from '../model/event.ts'
import { matchHook } from './matching/match.ts'
import type { FreshEvent } from './sources/source.ts'
import type { RoutedEvent } from './work/commit-route.ts'
import type { IsHoldFull } from './work/held.ts'
import type { LeaseTerms, WorkStore } from './work/work-store.ts'

export interface LeasedDelivery {
  event: Event
  hookId: number
  round: number
  attempts: number
  version: string
}

interface RouteParts {
  store: WorkStore
  hooks: DeliveryHooks
  lease: LeaseTerms
  /** Takes a place for one delivery; false: there is none, and it waits as due work. */
  reserve: (hookId: number) => boolean
  giveBack: (hookId: number) => void
  isHoldFull: IsHoldFull
  onUnroutable: (event: Event, error: unknown) => void
}

/** An event that broke its worker this often is set aside for a person to look at. */
const mostTries = 5

export type Route = (events: readonly FreshEvent[]) => Promise<LeasedDelivery[]>

export function createRoute(parts: RouteParts): Route {
  return async (fresh) => {
    const poisonous = fresh.filter(({ tries }) => tries > mostTries).map(({ event }) => event)
    if (poisonous.length > 0) await parts.store.park(poisonous, `could not be routed in ${mostTries} tries`)

    const leased: LeasedDelivery[] = []
    let open = fresh.filter(({ tries }) => tries <= mostTries).map(({ event }) => event)
    await parts.hooks.load(accountsOf(open.filter((event) => parts.hooks.get(event.accountId) === undefined)))
    while (open.length > 0) {
      const matched = await matchAll(parts, open)
      const results = await parts.store.commitRoute(matched, parts.lease).catch((error: unknown) => {
        giveBackPlaces(parts, matched)
        throw error
      })
      for (const [place, { event, version, matches }] of matched.entries())
        for (const { hookId, becomes } of matches)
          if (becomes !== 'leased') continue
          else if (results[place] === 'routed') leased.push({ event, hookId, round: 1, attempts: 0, version })
          else parts.giveBack(hookId)
      open = matched.filter((_, place) => results[place] === 'stale').map(({ event }) => event)
      await parts.hooks.load(accountsOf(open))
    }
    return leased
  }
}

/** An event that cannot be matched stays in the inbox, counted, and keeps no other from its way. */
async function matchAll(parts: RouteParts, events: readonly Event[]): Promise<RoutedEvent[]> {
  const matched: RoutedEvent[] = []
  for (const event of events)
    try {
      matched.push(await matchEvent(parts, event))
    } catch (error) {
      if (parts.store.isUnavailable(error)) {
        giveBackPlaces(parts, matched)
        throw error
      }
      parts.onUnroutable(event, error)
    }
  return matched
}

function giveBackPlaces(parts: RouteParts, matched: readonly RoutedEvent[]): void {
  for (const { matches } of matched)
    for (const { hookId, becomes } of matches) if (becomes === 'leased') parts.giveBack(hookId)
}

async function matchEvent(parts: RouteParts, event: Event): Promise<RoutedEvent> {
  const account = parts.hooks.get(event.accountId)
  if (account === undefined) return { event, version: '-1', matches: [] }
  const matching = matchingHooks(account, event)
  const full = new Set<number>()
  for (const { id, enabled } of matching)
    if (!enabled && (await parts.isHoldFull(event.accountId, id))) full.add(id)
  // From here on nothing fails, so no place is taken for an event that is not routed.
  const matches = matching.map(({ id: hookId, enabled }) => ({
    hookId,
    becomes: enabled
      ? becomesAttempt(parts, hookId)
      : full.has(hookId)
        ? ('dropped' as const)
        : ('held' as const),
  }))
  return { event, version: account.version, matches }
}

function becomesAttempt(parts: RouteParts, hookId: number): 'leased' | 'due' {
  return parts.reserve(hookId) ? 'leased' : 'due'
}

/** Disabled hooks match too: what they would have received is held for them. */
function matchingHooks(account: AccountHooks, event: Event) {
  const data = JSON.parse(event.data) as Record<string, unknown>
  return [...account.hooks.values()].filter((hook) => matchHook(hook, event, data).matches)
}

function accountsOf(events: readonly Event[]): number[] {
  return events.map((event) => event.accountId)
}
