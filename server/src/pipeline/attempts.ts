/**
 * Attempts under way in a worker: the hook as it is now → deliver → settle, in batches → one log line.
 * What was sent must be written down: while the database is away, settling waits for it.
 */
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import { createBatcher } from '../ops/batch.ts'
import type { Clock } from '../ops/clock.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import { deliver } from './deliver.ts'
import type { Send } from './dispatch/send.ts'
import { type Lease, leaseLeftMs } from './lease.ts'
import type { PlacedDelivery } from './route.ts'
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
  /** Resolves when all that were started are settled. */
  whenDone: () => Promise<void>
}

const afterErrorMs = 500
/** Hooks known to be current within this time may be used; the promise after a delete is one second. */
const currentForMs = 500

export function createAttempts(parts: AttemptParts, worker: string, slots: Slots): Attempts {
  const { store, hooks, clock, log, metrics } = parts
  const underWay = new Set<Promise<void>>()
  // Nobody waits for it but the place: a few milliseconds make one commit of many.
  const settle = createBatcher(settleUntilDone, { mostItems: 200, mostRuns: 1, lingerMs: 5 })

  /** Of a batch that is refused although the database is there, each delivery is tried alone. */
  async function settleUntilDone(items: Settlement[]): Promise<boolean[]> {
    for (;;)
      try {
        return await store.settle(worker, items)
      } catch (error) {
        metrics.databaseRetries.inc()
        if (store.isUnavailable(error)) {
          log.warn({ error, deliveries: items.length }, 'settling failed and is tried again')
          await clock.sleep(afterErrorMs)
        } else if (items.length > 1) {
          const alone = await Promise.all(items.map((item) => settleUntilDone([item])))
          return alone.flat()
        } else {
          const [item] = items
          log.error({ error, event: item?.eventId, hook: item?.hookId }, 'a delivery could not be settled')
          return [false]
        }
      }
  }

  async function attempt(delivery: PlacedDelivery, lease: Lease): Promise<void> {
    try {
      const { accountId } = delivery.event
      const isCurrent = clock.monotonic() - lease.takenAt <= currentForMs
      if (!isCurrent || hooks.get(accountId) === undefined) await hooks.load([accountId])
      const settlement = await deliver(
        { hooks, send: parts.send, clock, lease: lease.id, leaseLeftMs: () => leaseLeftMs(lease, clock) },
        delivery,
      )
      slots.finish(delivery.slot)
      if (settlement === undefined) return
      report(settlement, await settle(settlement))
      if (settlement.attempt?.outcome.reason === 'gone') await parts.disableGone(settlement)
    } catch (error) {
      log.error({ error, event: delivery.event.id, hook: delivery.hookId }, 'delivery broke')
    } finally {
      slots.giveBack(delivery.slot)
    }
  }

  /** One wide line and the figures of a delivery that was attempted or ended. */
  function report(settlement: Settlement, isSettled: boolean): void {
    const { attempt: made, next } = settlement
    if (made !== undefined) {
      metrics.attempts.inc({ reason: made.outcome.reason })
      metrics.attemptSeconds.observe(made.outcome.timings.totalMs / 1_000)
    }
    if (isSettled && 'reason' in next) metrics.deliveries.inc({ state: next.state })
    log.info(
      {
        event: settlement.eventId,
        hook: settlement.hookId,
        account: settlement.accountId,
        attempt: made?.number,
        reason: made?.outcome.reason,
        status: made?.outcome.status,
        ms: made && Math.round(made.outcome.timings.totalMs),
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
      const running = attempt(delivery, lease).finally(() => {
        metrics.inFlight.dec()
        underWay.delete(running)
      })
      underWay.add(running)
    },
    async whenDone() {
      await Promise.all(underWay)
    },
  }
}
