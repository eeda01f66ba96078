/**
 * Runs the attempts of a worker: load the current hook → deliver → settle, in batches → one log line.
 * Every sent request must be recorded: while the database is unavailable, settling retries.
 */
import type { EventTypes } from '../catalog/follow-event-types.ts'
import type { HookCache } from '../hooks/hook-cache.ts'
import type { Event } from '../model/event.ts'
import { traceIdOf } from '../model/traceparent.ts'
import { createBatcher, runIsolated } from '../runtime/batch.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Tracing } from '../runtime/tracing.ts'
import { createOnePerTick } from '../runtime/one-per-tick.ts'
import { type Attempt, attemptOnce } from './attempt-once.ts'
import { deliver } from './deliver.ts'
import type { ReceiverWatch } from './receiver-watch.ts'
import type { Send } from './transport/send.ts'
import { currentForMs, type Lease, leaseLeftMs } from './queue/lease.ts'
import { createOutageWatch } from './retry/outage.ts'
import type { LeasedDelivery } from '../model/delivery/delivery.ts'
import type { SlottedDelivery } from './route.ts'
import type { Slots } from './slots.ts'
import { isUnsuccessful, type Settlement } from './queue/settle.ts'
import { isSuccess } from './queue/settle-delivered.ts'
import type { Settled } from './queue/settled.ts'
import type { DeliveryQueue } from './queue/queue.ts'

export interface AttemptDeps {
  store: DeliveryQueue
  hooks: HookCache
  eventTypes: EventTypes
  send: Send
  clock: Clock
  log: Log
  metrics: Metrics
  tracing: Tracing
  receivers: Pick<ReceiverWatch, 'observe'>
  /** Called when a receiver responds 410 Gone. */
  disableGone: (hook: { accountId: number; hookId: number }) => Promise<void>
}

interface AttemptHooks {
  /** Called for each attempt. */
  onStart?: (accountId: number) => void
  /** Whether the lease is still that of this worker. */
  holds?: (lease: Lease) => boolean
}

export interface AttemptRunner {
  start: (delivery: SlottedDelivery, lease: Lease) => void
  /** Delivers without a slot, attempted by `attemptBy`. Returns the settlement. */
  deliverBy: (attemptBy: Attempt, delivery: LeasedDelivery, lease: Lease) => Promise<Settlement>
  /** Settles the delivery. Throws if the database rejects the settlement. */
  conclude: (settlement: Settlement, event: Event) => Promise<void>
  /** Resolves when all started attempts are settled. */
  whenDone: () => Promise<void>
}

const afterErrorMs = 500
const notReturned = {
  status: 'rejected',
  reason: new Error('settle returned fewer results than items'),
} as const
/** Below this share of used slots, settlements wait longer, for larger commits: no delivery waits for the slot. */
const lowUsedShare = 0.25
const idleLingerMs = 25
const busyLingerMs = 5
/** In characters. Formatting and signing a larger event may take milliseconds; for a thousand hooks, seconds. */
const maxSmallEventLength = 1_000

export function createAttemptRunner(
  deps: AttemptDeps,
  worker: string,
  slots: Slots,
  { onStart = () => {}, holds = () => true }: AttemptHooks = {},
): AttemptRunner {
  const { store, hooks, clock, log, metrics } = deps
  const inFlight = new Set<Promise<void>>()
  const outages = createOutageWatch(clock.monotonic)
  const onePerTick = createOnePerTick()
  const settle = createBatcher(settleTogether, {
    maxBatchSize: 200,
    maxConcurrentRuns: 1,
    // Only the slot waits for a settlement: a few milliseconds group many of them into one commit.
    lingerMs: () => (slots.usedShare() < lowUsedShare ? idleLingerMs : busyLingerMs),
    isRejection: () => false,
  })

  /** Successes and other outcomes have statements of their own, but the failures of a hook are weighed against both. */
  async function settleTogether(items: Settlement[]): Promise<Array<PromiseSettledResult<Settled>>> {
    const others = items.filter(isUnsuccessful)
    const results = new Map<Settlement, PromiseSettledResult<Settled>>([
      ...(await commit(items.filter(isSuccess), store.settleDelivered)),
      ...(await commit(others, store.settle)),
    ])
    // The deliveries are settled. Errors from here on must not settle them again.
    const recorded = await runIsolated(
      async (pairs) => [...(await untilAvailable(pairs.length, () => store.recordFailures(pairs)))],
      [...results].flatMap(([item, result]) =>
        result.status === 'fulfilled' ? [[item, result.value] as const] : [],
      ),
      () => true,
    )
    for (const result of recorded)
      if (result.status === 'rejected') log.error({ error: result.reason }, 'hook failure not recorded')
    return items.map((item) => results.get(item) ?? notReturned)
  }

  /** A settlement that the database rejects fails alone. */
  async function commit<Item extends Settlement>(
    items: Item[],
    run: (by: string, some: readonly Item[]) => Promise<Settled[]>,
  ): Promise<Array<[Item, PromiseSettledResult<Settled>]>> {
    if (items.length === 0) return []
    const results = await runIsolated(
      (some: Item[]) => untilAvailable(some.length, () => run(worker, some)),
      items,
      (error) => !store.isUnavailable(error),
    )
    return items.flatMap((item, index) => {
      const result = results[index]
      return result === undefined ? [] : [[item, result]]
    })
  }

  /** Retries while the database is unavailable. */
  async function untilAvailable<Result>(deliveries: number, run: () => Promise<Result>): Promise<Result> {
    for (;;)
      try {
        return await run()
      } catch (error) {
        metrics.databaseRetries.inc()
        if (!store.isUnavailable(error)) throw error
        log.warn({ error, deliveries }, 'settle failed, retrying')
        await clock.sleep(afterErrorMs)
      }
  }

  const leftMs = (lease: Lease): number => (holds(lease) ? leaseLeftMs(lease, clock) : 0)
  const attemptHere: Attempt = (planned) => attemptOnce(deps.send, planned)

  function deliverBy(attemptBy: Attempt, delivery: LeasedDelivery, lease: Lease): Promise<Settlement> {
    const base = {
      hooks,
      traitsOf: (type: string) => deps.eventTypes.current().traitsOf(type),
      clock,
      lease: lease.id,
      leaseLeftMs: () => leftMs(lease),
      outages,
      receivers: deps.receivers,
    }
    return deliver({ ...base, attempt: traceAttempt(deps.tracing, attemptBy, delivery.routedIn) }, delivery)
  }

  async function conclude(settlement: Settlement, event: Event): Promise<void> {
    const result = await settle(settlement)
    if (result.status === 'rejected') throw result.reason
    report(settlement, event, result.value.isSettled)
    if (settlement.attempt?.outcome.reason === 'gone') await deps.disableGone(settlement)
  }

  /** Whether the event is small, and its account's hooks were read recently. */
  function isReady({ accountId, data }: Event, lease: Lease): boolean {
    return (
      data.length <= maxSmallEventLength &&
      clock.monotonic() - lease.takenAt <= currentForMs &&
      hooks.get(accountId) !== undefined
    )
  }

  /**
   * Resolves in the event loop tick in which the account's hooks are cached and current. Large events wait for their
   * own tick. A hook may change in any earlier tick, so both are checked again after each wait.
   */
  async function loadCurrent({ accountId, data }: Event, lease: Lease): Promise<void> {
    let readAt = lease.takenAt
    while (leftMs(lease) > 0) {
      if (data.length > maxSmallEventLength) await onePerTick()
      const isCurrent = clock.monotonic() - readAt <= currentForMs
      if (isCurrent && hooks.get(accountId) !== undefined) return
      try {
        await hooks.load([accountId])
        readAt = clock.monotonic()
      } catch (error) {
        if (!store.isUnavailable(error)) throw error
        await clock.sleep(afterErrorMs)
      }
    }
  }

  async function attempt(delivery: SlottedDelivery, lease: Lease): Promise<void> {
    try {
      if (!isReady(delivery.event, lease)) await loadCurrent(delivery.event, lease)
      slots.begin(delivery.slot)
      const settlement = await deliverBy(attemptHere, delivery, lease)
      slots.finish(delivery.slot)
      await conclude(settlement, delivery.event)
    } catch (error) {
      log.error({ error, event: delivery.event.id, hook: delivery.hookId }, 'delivery failed unexpectedly')
    } finally {
      slots.release(delivery.slot)
    }
  }

  /** Writes one wide log line and updates the metrics of a delivery that was attempted or finished. */
  function report(settlement: Settlement, event: Event, isSettled: boolean): void {
    const { attempt: attempted, fault, next } = settlement
    const outcome = (attempted ?? fault)?.outcome
    if (outcome !== undefined) {
      metrics.attempts.inc({ reason: outcome.reason })
      metrics.attemptSeconds.observe(outcome.timings.totalMs / 1_000)
    }
    if (fault !== undefined && fault.outcome.reason !== 'resolver_down')
      log.error(
        { error: fault.error, event: settlement.eventId, hook: settlement.hookId, faults: settlement.faults },
        'attempt failed by a service fault',
      )
    if (isSettled && 'reason' in next) metrics.deliveries.inc({ state: next.state })
    log.info(
      {
        event: settlement.eventId,
        hook: settlement.hookId,
        account: settlement.accountId,
        trace_id: event.traceparent == null ? undefined : traceIdOf(event.traceparent),
        attempt: attempted?.number,
        reason: outcome?.reason,
        status: outcome?.status,
        error_code: outcome?.errorCode || undefined,
        ms: outcome && Math.round(outcome.timings.totalMs),
        next: next.state,
        settled: isSettled,
      },
      'attempt',
    )
  }

  return {
    start(delivery, lease) {
      // A replay says nothing about the time since acceptance.
      if (delivery.attempts === 0 && delivery.round === 1) {
        const ageMs = clock.now() - delivery.event.acceptedAt.getTime()
        const path = delivery.slot.use
        metrics.acceptedToAttemptSeconds.observe({ path }, Math.max(0, ageMs) / 1_000)
      }
      metrics.inFlight.inc()
      onStart(delivery.event.accountId)
      const running = attempt(delivery, lease).finally(() => {
        metrics.inFlight.dec()
        inFlight.delete(running)
      })
      inFlight.add(running)
    },
    deliverBy,
    conclude,
    async whenDone() {
      await Promise.all(inFlight)
    },
  }
}

/** Runs an attempt in its own span, below the call that accepted the event. `routedIn` is the span of its route. */
function traceAttempt(tracing: Tracing, attemptBy: Attempt, routedIn: string | undefined): Attempt {
  return (planned) => {
    const { event, round, attempts } = planned.delivery
    return tracing.inSpan('attempt', { parent: event.traceparent, links: [routedIn] }, async (span) => {
      span.set({
        'hookline.event.id': event.id,
        'hookline.event.type': event.type,
        'hookline.account.id': event.accountId,
        'hookline.webhook.id': planned.hook.id,
        'hookline.attempt': attempts + 1,
        'hookline.replay': round - 1,
      })
      const outcome = await attemptBy({ ...planned, traceparent: span.traceparent })
      const { reason, status, timings } = outcome
      span.set({
        'hookline.dns_ms': timings.dnsMs,
        'hookline.connect_ms': timings.connectMs,
        'hookline.tls_ms': timings.tlsMs,
        'hookline.first_byte_ms': timings.firstByteMs,
        'http.response.status_code': status,
      })
      if (reason !== 'delivered') span.fail(reason)
      return outcome
    })
  }
}
