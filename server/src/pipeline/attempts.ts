/**
 * Attempts under way in a worker: the hook as it is now → deliver → settle, in batches → one log line.
 * What was sent must be written down: while the database is away, settling waits for it.
 */
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import { createBatcher, runIsolated } from '../ops/batch.ts'
import type { Clock } from '../ops/clock.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import { type Attempt, attemptOnce } from './attempt-once.ts'
import { deliver } from './deliver.ts'
import type { Send } from './dispatch/send.ts'
import { currentForMs, type Lease, leaseLeftMs } from './lease.ts'
import { createOutageWatch } from './retry/outage.ts'
import type { LeasedDelivery, PlacedDelivery } from './route.ts'
import type { Slots } from './slots.ts'
import type { Settlement } from './work/settle.ts'
import type { WorkStore } from './work/work-store.ts'

export interface AttemptParts {
  store: WorkStore
  hooks: DeliveryHooks
  send: Send
  clock: Clock
  log: Log
  metrics: Metrics
  /** Called when a receiver says that it is gone. */
  disableGone: (hook: { accountId: number; hookId: number }) => Promise<void>
}

export interface Attempts {
  start: (delivery: PlacedDelivery, lease: Lease) => void
  /** One that uses no place here, attempted wherever `attemptAt` does it; returns what to settle. */
  deliverBy: (attemptAt: Attempt, delivery: LeasedDelivery, lease: Lease) => Promise<Settlement | undefined>
  /** Settles it; throws where the database refuses it. */
  conclude: (settlement: Settlement) => Promise<void>
  /** Resolves when all that were started are settled. */
  whenDone: () => Promise<void>
}

const afterErrorMs = 500

export function createAttempts(
  parts: AttemptParts,
  worker: string,
  slots: Slots,
  onStart: (accountId: number) => void = () => {},
): Attempts {
  const { store, hooks, clock, log, metrics } = parts
  const underWay = new Set<Promise<void>>()
  const outages = createOutageWatch(clock.monotonic)
  // Nobody waits for it but the place: a few milliseconds make one commit of many.
  const settle = createBatcher(settleTogether, {
    mostItems: 200,
    mostRuns: 1,
    lingerMs: 5,
    isRefusal: (error) => !store.isUnavailable(error),
  })

  async function settleTogether(items: Settlement[]): Promise<boolean[]> {
    const results = await untilAvailable(items.length, () => store.settle(worker, items))
    // They are settled: what goes wrong from here on must not settle them again.
    const recorded = await runIsolated(
      async (pairs) => [...(await untilAvailable(pairs.length, () => store.recordFailures(pairs)))],
      items.flatMap((item, index) => {
        const result = results[index]
        return result === undefined ? [] : [[item, result] as const]
      }),
      () => true,
    )
    for (const result of recorded)
      if (result.status === 'rejected') log.error({ error: result.reason }, 'hook failure not recorded')
    return results.map(({ isSettled }) => isSettled)
  }

  /** Repeats what the database cannot do now. */
  async function untilAvailable<Result>(deliveries: number, run: () => Promise<Result>): Promise<Result> {
    for (;;)
      try {
        return await run()
      } catch (error) {
        metrics.databaseRetries.inc()
        if (!store.isUnavailable(error)) throw error
        log.warn({ error, deliveries }, 'settling failed and is tried again')
        await clock.sleep(afterErrorMs)
      }
  }

  const here: Attempt = (planned) => attemptOnce(parts.send, planned)

  function deliverBy(
    attemptAt: Attempt,
    delivery: LeasedDelivery,
    lease: Lease,
  ): Promise<Settlement | undefined> {
    const about = { hooks, clock, lease: lease.id, leaseLeftMs: () => leaseLeftMs(lease, clock), outages }
    return deliver({ ...about, attempt: attemptAt }, delivery)
  }

  async function conclude(settlement: Settlement): Promise<void> {
    report(settlement, await settle(settlement))
    if (settlement.attempt?.outcome.reason === 'gone') await parts.disableGone(settlement)
  }

  async function attempt(delivery: PlacedDelivery, lease: Lease): Promise<void> {
    try {
      const { accountId } = delivery.event
      const isCurrent = clock.monotonic() - lease.takenAt <= currentForMs
      if (!isCurrent || hooks.get(accountId) === undefined) await hooks.load([accountId])
      const settlement = await deliverBy(here, delivery, lease)
      slots.finish(delivery.slot)
      if (settlement === undefined) return
      await conclude(settlement)
    } catch (error) {
      log.error({ error, event: delivery.event.id, hook: delivery.hookId }, 'delivery broke')
    } finally {
      slots.giveBack(delivery.slot)
    }
  }

  /** One wide line and the figures of a delivery that was attempted or ended. */
  function report(settlement: Settlement, isSettled: boolean): void {
    const { attempt: made, fault, next } = settlement
    const outcome = (made ?? fault)?.outcome
    if (outcome !== undefined) {
      metrics.attempts.inc({ reason: outcome.reason })
      metrics.attemptSeconds.observe(outcome.timings.totalMs / 1_000)
    }
    if (fault !== undefined && fault.outcome.reason !== 'resolver_down')
      log.error(
        { error: fault.error, event: settlement.eventId, hook: settlement.hookId, faults: settlement.faults },
        'attempt failed by a fault of ours',
      )
    if (isSettled && 'reason' in next) metrics.deliveries.inc({ state: next.state })
    log.info(
      {
        event: settlement.eventId,
        hook: settlement.hookId,
        account: settlement.accountId,
        attempt: made?.number,
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
      if (delivery.attempts === 0) {
        const ageMs = clock.now() - delivery.event.acceptedAt.getTime()
        metrics.acceptedToAttemptSeconds.observe(Math.max(0, ageMs) / 1_000)
      }
      metrics.inFlight.inc()
      slots.begin(delivery.slot)
      onStart(delivery.event.accountId)
      const running = attempt(delivery, lease).finally(() => {
        metrics.inFlight.dec()
        underWay.delete(running)
      })
      underWay.add(running)
    },
    deliverBy,
    conclude,
    async whenDone() {
      await Promise.all(underWay)
    },
  }
}
