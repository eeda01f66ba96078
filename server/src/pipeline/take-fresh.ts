/**
 * Fresh events: source → route → attempts, as many at once as find places. What finds none is due work for whoever has one.
 */
import type { Event } from '../model/event.ts'
import type { Clock } from '../ops/clock.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Attempts } from './attempts.ts'
import type { HeavyAccounts } from './heavy-accounts.ts'
import { newLease } from './lease.ts'
import { route, type RoutePace } from './route.ts'
import { type ScreenParts, screenEvents } from './screen-events.ts'
import type { Slots } from './slots.ts'
import type { InboxSource } from './sources/inbox-source.ts'
import type { FreshEvent, Source } from './sources/source.ts'
import { createWindow } from './window.ts'
import type { IsHoldFull } from './work/held.ts'
import type { WorkStore } from './work/work-store.ts'

export interface FreshParts extends ScreenParts {
  store: WorkStore
  hooks: DeliveryHooks
  clock: Clock
  log: Log
  metrics: Metrics
  /** Whether a disabled hook holds as much as it may. */
  isHoldFull: IsHoldFull
  heavy: HeavyAccounts
  inbox: InboxSource
}

const heavyIdleMs = 10
const findApartEveryMs = 1_000

export interface TakeFresh {
  /** The same for accounts whose events cost much: each by itself, and none for more than its part of the time. */
  takeHeavy: () => Promise<number>
  /** Answers how long to wait before asking this source again. */
  take: (source: Source, signal: AbortSignal) => Promise<number>
  /** What a source had taken already is routed too, attempted here or due for others. */
  empty: (source: Source) => Promise<void>
  /** Resolves when no event is screened any more. */
  whenScreened: () => Promise<void>
}

/** An event that fails after so many tries is parked for an operator. A worker that died is no failure of its events. */
const maxTries = 5

export function createTakeFresh(
  parts: FreshParts,
  slots: Slots,
  attempts: Attempts,
  onOverflow: () => void,
): TakeFresh {
  const { store, hooks, clock, log, metrics, heavy } = parts
  const window = createWindow()
  let screening: Promise<void> | undefined
  let lookedForApartAt = Number.NEGATIVE_INFINITY

  function onTooExpensive(filters: number): void {
    metrics.filtersTooExpensive.inc(filters)
  }

  /** Returns the events that cost too much for this pace. */
  async function routeTogether(
    source: Source,
    events: readonly FreshEvent[],
    pace: RoutePace,
  ): Promise<readonly FreshEvent[]> {
    const lease = newLease(clock)
    const failed = new Set<Event>()
    const onUnroutable = (event: Event, error: unknown): void => {
      log.error({ error, event: event.id }, 'an event could not be matched')
      failed.add(event)
    }
    const routing = { ...parts, lease, slots, onUnroutable, onTooExpensive }
    const result = await giveBackIfUnavailable(source, events, () => route(routing, events, pace))
    const { placed, overflow, left } = result
    for (const delivery of placed) attempts.start(delivery, lease)
    // Of heavy accounts much always overflows, which says nothing about the others.
    if (!isHeavy(events)) window.learn(placed.length, overflow)
    if (overflow > 0) onOverflow()
    await parkExhausted(events.filter(({ event }) => failed.has(event)))
    const routed = left.length === 0 ? events : events.filter((event) => !left.includes(event))
    source.routed(routed)
    metrics.freshEvents.inc({ source: source.name }, routed.length)
    return left
  }

  function isHeavy([first]: readonly FreshEvent[]): boolean {
    return first !== undefined && heavy.has(first.event.accountId)
  }

  /** The database's trouble is not the events': it does not count as a try. */
  async function giveBackIfUnavailable<T>(
    source: Source,
    events: readonly FreshEvent[],
    step: () => Promise<T>,
  ): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (store.isUnavailable(error)) await source.giveBack(events)
      throw error
    }
  }

  /** Sets the events of accounts apart that are routed by themselves; returns the others. */
  async function leaveHeavy(source: Source, events: readonly FreshEvent[]): Promise<FreshEvent[]> {
    const unknown = accountsOf(events).filter((accountId) => hooks.get(accountId) === undefined)
    await giveBackIfUnavailable(source, events, () => hooks.load(unknown))
    const accounts = new Set(
      accountsOf(events).filter((accountId) => heavy.isHeavy(accountId, hooks.get(accountId))),
    )
    const left = events.filter(({ event }) => accounts.has(event.accountId))
    if (left.length > 0) {
      await parts.inbox.setApart(left)
      if (source !== parts.inbox) await source.giveBack(left)
    }
    return events.filter(({ event }) => !accounts.has(event.accountId))
  }

  /** Events may have been set apart by a worker that has stopped, and its accounts must be known here then. */
  async function findApart(): Promise<void> {
    if (clock.monotonic() - lookedForApartAt < findApartEveryMs) return
    lookedForApartAt = clock.monotonic()
    const unknown = (await parts.inbox.accountsApart()).filter((accountId) => !heavy.has(accountId))
    await hooks.load(unknown.filter((accountId) => hooks.get(accountId) === undefined))
    for (const accountId of unknown) heavy.found(accountId, hooks.get(accountId))
  }

  async function parkExhausted(failed: readonly FreshEvent[]): Promise<void> {
    const exhausted = failed.filter(({ tries }) => tries >= maxTries).map(({ event }) => event)
    if (exhausted.length > 0) await store.park(exhausted, `could not be routed in ${maxTries} tries`)
  }

  /** What costs much to match comes after the others, and what is too much for now later. */
  async function routeInOrder(source: Source, events: readonly FreshEvent[]): Promise<void> {
    const slow = await routeTogether(source, events, 'quick')
    if (slow.length === 0) return
    const postponed = await routeTogether(source, slow, 'slow')
    if (postponed.length > 0) await source.postpone(postponed)
  }

  /** Routes what nobody has begun to route before, and has the rest screened; returns whether there was any of the first. */
  async function routeFirst(source: Source, events: readonly FreshEvent[]): Promise<boolean> {
    const first = events.filter(({ tries }) => tries === 1)
    if (first.length > 0) await routeInOrder(source, first)
    screenInBackground(
      source,
      events.filter(({ tries }) => tries > 1),
    )
    return first.length > 0
  }

  /** One that was begun before may be what ended its worker. While some are screened, others stay in the inbox. */
  function screenInBackground(source: Source, again: readonly FreshEvent[]): void {
    if (again.length === 0 || screening !== undefined) return
    screening = screenAndRoute(source, again)
      .catch((error: unknown) => log.warn({ error }, 'screening failed, retrying'))
      .finally(() => (screening = undefined))
  }

  async function screenAndRoute(source: Source, again: readonly FreshEvent[]): Promise<void> {
    const passed = await screenEvents(parts, again)
    // One by one: what throws keeps no other from its way.
    for (const event of passed) await routeInOrder(source, [event])
  }

  return {
    async take(source, signal) {
      const most = Math.min(slots.free('fresh'), window.size())
      const events = await source.take(most, signal)
      const hasFirst = await routeFirst(source, await leaveHeavy(source, events))
      return hasFirst ? 0 : source.idleMs()
    },
    async whenScreened() {
      await screening
    },
    async takeHeavy() {
      const source = parts.inbox
      await findApart()
      const due = heavy.due()
      const events = due.length === 0 ? [] : await source.takeApart(due)
      const waiting = Map.groupBy(events, ({ event }) => event.accountId)
      try {
        for (const { accountId } of due) {
          const own = waiting.get(accountId)
          waiting.delete(accountId)
          const startedAt = clock.monotonic()
          await routeFirst(source, own ?? [])
          heavy.routed(accountId, own && clock.monotonic() - startedAt)
        }
      } catch (error) {
        await source.giveBack([...waiting.values()].flat())
        throw error
      }
      return events.length > 0 ? 0 : heavyIdleMs
    },
    async empty(source) {
      const left = source.close()
      if (left.length === 0) return
      await routeInOrder(source, left).catch((error: unknown) =>
        log.warn({ error, events: left.length }, 'fresh events are left to other workers'),
      )
    },
  }
}

function accountsOf(events: readonly FreshEvent[]): number[] {
  return [...new Set(events.map(({ event }) => event.accountId))]
}
