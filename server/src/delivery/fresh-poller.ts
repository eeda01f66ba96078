/**
 * Fresh events of the inbox: those that were not leased when they were accepted. Inbox → route → attempts, limited by free
 * slots. A delivery without a slot becomes due for any worker.
 */
import type { Event } from '../model/event.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { HookCache } from '../hooks/hook-cache.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import type { HeavyAccounts } from './heavy-accounts.ts'
import type { FreshEvent, Inbox } from './queue/inbox.ts'
import { newLease } from './queue/lease.ts'
import { route, type RoutePace } from './route.ts'
import { type ScreenDeps, screenEvents } from './screen-events.ts'
import type { Slots } from './slots.ts'
import { createBatchSize } from './batch-size.ts'
import type { IsHoldFull } from './queue/held.ts'
import type { DeliveryQueue } from './queue/queue.ts'

export interface FreshDeps extends ScreenDeps {
  store: DeliveryQueue
  hooks: HookCache
  clock: Clock
  log: Log
  metrics: Metrics
  tracing: Tracing
  /** Whether a disabled hook has reached its hold limit. */
  isHoldFull: IsHoldFull
  heavy: HeavyAccounts
  inbox: Inbox
  /** The longest pause between two reads of an empty inbox, if nothing wakes the worker. */
  maxInboxIdleMs: () => number
}

/** While the inbox is empty, the delay doubles after each poll. */
const minIdleMs = 20
const heavyIdleMs = 10
/** Events of accounts whose hooks take longer to load wait separately. */
const maxLoadMs = 100
/** Shorter than the time for which the inbox marks events as taken. */
const maxWaitForLoadMs = 3_000
const checkLoadEveryMs = 20
/** Further events do not wait in memory: they are postponed in the inbox. */
const maxWaitingForLoad = 200
/** As many as a batch has. Further events stay in the inbox until these are routed. */
const maxUncached = 200
/** Released events are taken again at once. */
const afterErrorMs = 500
const findApartEveryMs = 1_000

export interface FreshPoller {
  /**
   * Polls events of heavy accounts: each account separately, and none for more than its part of the time. Returns the
   * delay before the next poll, unless events are set apart before.
   */
  pollHeavy: () => Promise<number>
  /** Returns the delay before the next poll, unless an event arrives in the inbox. */
  poll: () => Promise<number>
  /** Events have arrived in the inbox: shortens the delays before the next polls. */
  wake: () => void
  /** Whether the last poll left events in the inbox. */
  isBehind: () => boolean
  /** Resolves when no event is being screened or waits for its hooks. */
  whenDone: () => Promise<void>
}

/** An event that fails this often is parked for an operator. The death of a worker does not count. */
const maxTries = 5

interface FreshEvents {
  /** Deliveries without a slot are due now, and may get one. */
  onOverflow: () => void
  /** Events were set apart: `pollHeavy` has work. */
  onSetApart: () => void
}

export function createFreshPoller(
  deps: FreshDeps,
  worker: string,
  slots: Slots,
  attempts: AttemptRunner,
  { onOverflow, onSetApart }: FreshEvents,
): FreshPoller {
  const { store, inbox, hooks, clock, log, metrics, tracing, heavy } = deps
  const batchSize = createBatchSize()
  let idleMs = minIdleMs
  let isBehind = false
  /** Events of accounts whose hooks are not cached, for the next load, and the number of all that are not routed. */
  let uncached: FreshEvent[] = []
  let uncachedCount = 0
  let routingUncached: Promise<void> | undefined
  /** Accounts whose hooks are being loaded. */
  const loading = new Set<number>()
  /** Numbers of events that wait for a load, by the promise that routes them. */
  const waitingForLoad = new Map<Promise<void>, number>()
  let screening: Promise<void> | undefined
  let checkedApartAt = Number.NEGATIVE_INFINITY

  function onTooExpensive(filters: number): void {
    metrics.filtersTooExpensive.inc(filters)
  }

  /** Returns the events that are too expensive for this pace. */
  async function routeTogether(
    events: readonly FreshEvent[],
    pace: RoutePace,
  ): Promise<readonly FreshEvent[]> {
    const lease = newLease(clock, worker)
    const failed = new Set<Event>()
    const onUnroutable = (event: Event, error: unknown): void => {
      log.error({ error, event: event.id }, 'event could not be routed')
      failed.add(event)
    }
    const routing = { ...deps, lease, slots, onUnroutable, onTooExpensive }
    const { placed, overflow, inLine, left } = await releaseIfUnavailable(events, () =>
      tracing.inSpan(
        'route events',
        { links: events.map(({ event }) => event.traceparent) },
        async ({ traceparent, set }) => {
          const result = await route({ ...routing, routedIn: traceparent }, events, pace)
          set({
            'hookline.events': events.length,
            'hookline.deliveries.started': result.placed.length,
            'hookline.deliveries.due': result.overflow,
          })
          return result
        },
      ),
    )
    for (const delivery of placed) attempts.start(delivery, lease)
    // Heavy accounts always overflow, which says nothing about the others.
    if (!isHeavy(events)) batchSize.learn(placed.length, overflow)
    if (overflow > inLine) onOverflow()
    await parkExhausted(events.filter(({ event }) => failed.has(event)))
    const routed = events.length - left.length
    metrics.freshEvents.inc({ source: 'inbox' }, routed)
    return left
  }

  function isHeavy([first]: readonly FreshEvent[]): boolean {
    return first !== undefined && heavy.has(first.event.accountId)
  }

  /** Releases the events if the database is unavailable: that does not count as a try. */
  async function releaseIfUnavailable<T>(events: readonly FreshEvent[], step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (store.isUnavailable(error)) await inbox.release(events)
      throw error
    }
  }

  /**
   * Routes events of accounts whose hooks are cached. The others do not delay them: a load reads, records and decrypts, and
   * among thousands of accounts nearly every batch has one that is not cached. Returns whether any is on its first try.
   */
  async function routeTaken(events: readonly FreshEvent[]): Promise<boolean> {
    const missing = events.filter(({ event }) => hooks.get(event.accountId) === undefined)
    if (missing.length > 0) {
      uncached.push(...missing)
      uncachedCount += missing.length
      routingUncached ??= routeUncached().finally(() => (routingUncached = undefined))
    }
    const hasFirst = await routeLoaded(events.filter((event) => !missing.includes(event)))
    return hasFirst || missing.some(({ tries }) => tries === 1)
  }

  /** One load after the other, so each is for all accounts that were missing during the one before. */
  async function routeUncached(): Promise<void> {
    while (uncached.length > 0) {
      const events = uncached
      uncached = []
      try {
        const late = await releaseIfUnavailable(events, () => loadMissing(events))
        if (late.length > 0) await routeLater(late)
        await routeLoaded(events.filter((event) => !late.includes(event)))
      } catch (error) {
        metrics.databaseRetries.inc()
        log.warn({ error }, 'routing failed, retrying')
        await clock.sleep(afterErrorMs)
      } finally {
        uncachedCount -= events.length
      }
    }
  }

  /** Routes events. Events of heavy accounts are set apart instead. */
  async function routeLoaded(events: readonly FreshEvent[]): Promise<boolean> {
    const accounts = new Set(
      accountsOf(events).filter((accountId) => heavy.isHeavy(accountId, hooks.get(accountId))),
    )
    const left = events.filter(({ event }) => accounts.has(event.accountId))
    if (left.length > 0) {
      await inbox.setApart(left)
      onSetApart()
    }
    return routeFirst(events.filter(({ event }) => !accounts.has(event.accountId)))
  }

  /**
   * Loads hooks that are not cached. Returns the events of accounts that take long: an account with a thousand hooks
   * takes a second, and the others do not wait for it.
   */
  async function loadMissing(events: readonly FreshEvent[]): Promise<FreshEvent[]> {
    const missing = accountsOf(events).filter((id) => hooks.get(id) === undefined && !loading.has(id))
    if (missing.length > 0) {
      for (const id of missing) loading.add(id)
      const done = Promise.all(missing.map((id) => hooks.load([id]).finally(() => loading.delete(id))))
      await Promise.race([done, clock.sleep(maxLoadMs)])
      done.catch((error: unknown) => log.warn({ error }, 'hook load failed'))
    }
    return events.filter(({ event }) => isLoading(event.accountId))
  }

  /** Accounts are loaded together, and the hooks of one may be cached before those of another. */
  function isLoading(accountId: number): boolean {
    return loading.has(accountId) && hooks.get(accountId) === undefined
  }

  /** Events of each account wait only for the hooks of that account. */
  async function routeLater(late: readonly FreshEvent[]): Promise<void> {
    const count = [...waitingForLoad.values()].reduce((sum, events) => sum + events, late.length)
    if (count > maxWaitingForLoad) return inbox.postpone(late)
    for (const [accountId, events] of Map.groupBy(late, ({ event }) => event.accountId)) {
      const routing = routeWhenLoaded(accountId, events)
        .catch((error: unknown) => log.warn({ error }, 'routing failed, retrying'))
        .finally(() => waitingForLoad.delete(routing))
      waitingForLoad.set(routing, events.length)
    }
  }

  async function routeWhenLoaded(accountId: number, events: readonly FreshEvent[]): Promise<void> {
    const startedAt = clock.monotonic()
    while (isLoading(accountId)) {
      if (clock.monotonic() - startedAt > maxWaitForLoadMs) return inbox.postpone(events)
      await clock.sleep(checkLoadEveryMs)
    }
    await routeLoaded(events)
  }

  /** Without heavy accounts nothing happens before the next search for events that others set apart. */
  function heavyIdle(): number {
    if (heavy.hasAny()) return heavyIdleMs
    return Math.max(heavyIdleMs, checkedApartAt + findApartEveryMs - clock.monotonic())
  }

  /** Adds accounts whose events were set apart by a worker that has stopped. */
  async function findApart(): Promise<void> {
    if (clock.monotonic() - checkedApartAt < findApartEveryMs) return
    checkedApartAt = clock.monotonic()
    const missing = (await inbox.accountsApart()).filter((accountId) => !heavy.has(accountId))
    await hooks.load(missing.filter((accountId) => hooks.get(accountId) === undefined))
    for (const accountId of missing) heavy.add(accountId, hooks.get(accountId))
  }

  async function parkExhausted(failed: readonly FreshEvent[]): Promise<void> {
    const exhausted = failed.filter(({ tries }) => tries >= maxTries).map(({ event }) => event)
    if (exhausted.length > 0) await store.park(exhausted, `could not be routed in ${maxTries} tries`)
  }

  /** Routes cheap events first, then expensive ones. Events beyond the budget of this call are postponed. */
  async function routeInOrder(events: readonly FreshEvent[]): Promise<void> {
    const slow = await routeTogether(events, 'quick')
    if (slow.length === 0) return
    const postponed = await routeTogether(slow, 'slow')
    if (postponed.length > 0) await inbox.postpone(postponed)
  }

  /** Routes events on their first try and screens the others. Returns whether any was on its first try. */
  async function routeFirst(events: readonly FreshEvent[]): Promise<boolean> {
    const first = events.filter(({ tries }) => tries === 1)
    if (first.length > 0) await routeInOrder(first)
    screenInBackground(events.filter(({ tries }) => tries > 1))
    return first.length > 0
  }

  /**
   * Screens events of earlier tries: one of them may have killed its worker. While some are screened, others stay in
   * the inbox.
   */
  function screenInBackground(retried: readonly FreshEvent[]): void {
    if (retried.length === 0 || screening !== undefined) return
    screening = screenAndRoute(retried)
      .catch((error: unknown) => log.warn({ error }, 'screening failed, retrying'))
      .finally(() => (screening = undefined))
  }

  async function screenAndRoute(retried: readonly FreshEvent[]): Promise<void> {
    const passed = await screenEvents(deps, retried)
    // One by one: an event that throws does not block the others.
    for (const event of passed) await routeInOrder([event])
  }

  return {
    async poll() {
      if (uncachedCount >= maxUncached) await routingUncached
      const max = Math.min(slots.free('fresh'), batchSize.size())
      const events = await inbox.pull(max)
      isBehind = events.length >= max
      const hasFirst = await routeTaken(events)
      idleMs = hasFirst ? minIdleMs : Math.min(deps.maxInboxIdleMs(), idleMs * 2)
      return hasFirst ? 0 : idleMs
    },
    async whenDone() {
      await routingUncached
      await Promise.all(waitingForLoad.keys())
      await screening
    },
    async pollHeavy() {
      await findApart()
      const due = heavy.due()
      const events = due.length === 0 ? [] : await inbox.pullApart(due)
      const remaining = Map.groupBy(events, ({ event }) => event.accountId)
      try {
        for (const { accountId } of due) {
          const taken = remaining.get(accountId)
          remaining.delete(accountId)
          const startedAt = clock.monotonic()
          try {
            await routeFirst(taken ?? [])
          } finally {
            // After an error too: the other accounts are next.
            heavy.routed(accountId, taken && clock.monotonic() - startedAt)
          }
        }
      } catch (error) {
        await inbox.release([...remaining.values()].flat())
        throw error
      }
      return events.length > 0 ? 0 : heavyIdle()
    },
    isBehind: () => isBehind,
    wake() {
      idleMs = minIdleMs
    },
  }
}

function accountsOf(events: readonly FreshEvent[]): number[] {
  return [...new Set(events.map(({ event }) => event.accountId))]
}
