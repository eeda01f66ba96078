/**
 * A worker: routes fresh events and attempts deliveries, as many at once as it has places for.
 *   fresh:  sources → route → deliver
 *   due:    claim → deliver
 *   both:   settle in batches
 * It keeps nothing that the database does not have: killed at any moment, others take over when its leases end.
 */
import { randomUUID } from 'node:crypto'
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import { createBatcher } from '../ops/batch.ts'
import type { Clock } from '../ops/clock.ts'
import { every } from '../ops/every.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import { deliver } from './deliver.ts'
import type { Send } from './dispatch/send.ts'
import { createRoute, type PlacedDelivery } from './route.ts'
import { createSlots, type SlotLimits, type SlotUse } from './slots.ts'
import type { FreshEvent, Source } from './sources/source.ts'
import { createWindow } from './window.ts'
import type { IsHoldFull } from './work/held.ts'
import type { ClaimedDelivery } from './work/claim.ts'
import type { Settlement } from './work/settle.ts'
import type { LeaseTerms, WorkStore } from './work/work-store.ts'

export interface WorkerParts {
  store: WorkStore
  hooks: DeliveryHooks
  /** Each is asked by itself, so that none waits for another. */
  sources: readonly Source[]
  send: Send
  clock: Clock
  log: Log
  metrics: Metrics
  /** Whether a disabled hook holds as much as it may. */
  isHoldFull: IsHoldFull
  /** Called when a receiver says that it is gone. */
  disableGone: (hook: { accountId: number; hookId: number }) => Promise<void>
  limits: SlotLimits
}

export interface Worker {
  id: string
  /** Takes nothing more, waits for what is under way, and settles it. */
  stop: () => Promise<void>
}

/** Longer than the longest deadline and the time to settle. */
const leaseSeconds = 30
/** Not more than can be placed at once: what is claimed for nothing has to be given back. */
const mostDueAClaim = 64
const dueIdleMs = 20
const afterErrorMs = 500
/** When those that are not known to be quick have all the places they may, they are asked again after this. */
const crowdedMs = 500
const beatMs = 1_000
/** Hooks known to be current within this time may be used; the promise after a delete is one second. */
const currentForMs = 500

export function startWorker(parts: WorkerParts): Worker {
  const { store, hooks, clock, log, metrics } = parts
  const id = randomUUID()
  const slots = createSlots(parts.limits, clock.monotonic)
  const window = createWindow()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  const settleBatched = createBatcher((items: Settlement[]) => settleUntilDone(items), {
    mostItems: 200,
    mostRuns: 2,
  })

  /**
   * What was sent must be written down: while the database is away, this waits for it. Of a batch that it refuses for
   * another reason, each delivery is tried alone, so that one cannot keep the others.
   */
  async function settleUntilDone(items: Settlement[]): Promise<boolean[]> {
    for (;;)
      try {
        return await store.settle(id, items)
      } catch (error) {
        metrics.databaseRetries.inc()
        if (store.isUnavailable(error)) {
          log.warn({ error, deliveries: items.length }, 'settling failed and is tried again')
          await clock.sleep(afterErrorMs)
        } else if (items.length > 1) {
          const alone = await Promise.all(items.map((item) => settleUntilDone([item])))
          return alone.flat()
        } else {
          log.error(
            { error, event: items[0]?.eventId, hook: items[0]?.hookId },
            'a delivery could not be settled',
          )
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
        { hooks, send: parts.send, clock, lease: lease.id, leaseLeftMs: () => leaseLeft(lease, clock) },
        delivery,
      )
      slots.finish(delivery.slot)
      if (settlement === undefined) return
      const isSettled = await settleBatched(settlement)
      report(settlement, isSettled)
      if (settlement.attempt?.outcome.reason === 'gone') await parts.disableGone(settlement)
    } catch (error) {
      log.error({ error, event: delivery.event.id, hook: delivery.hookId }, 'delivery broke')
    } finally {
      slots.giveBack(delivery.slot)
    }
  }

  function start(delivery: PlacedDelivery, lease: Lease): void {
    if (delivery.attempts === 0)
      metrics.acceptedToAttemptSeconds.observe(
        Math.max(0, clock.now() - delivery.event.acceptedAt.getTime()) / 1_000,
      )
    metrics.inFlight.inc()
    slots.begin(delivery.slot)
    const running = attempt(delivery, lease).finally(() => {
      metrics.inFlight.dec()
      underWay.delete(running)
    })
    underWay.add(running)
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

  /** Fresh events; answers how long to wait before asking again. */
  async function routeFresh(source: Source): Promise<number> {
    const events = await source.take(Math.min(slots.free('fresh'), window.size()), stopping.signal)
    // One that was begun before may be what broke its worker: it goes alone, so that it takes no other with it.
    const [first, again] = partition(events, ({ tries }) => tries === 1)
    for (const together of [first, ...again.map((event) => [event])])
      if (together.length > 0) await routeTogether(source, together)
    return events.length > 0 ? 0 : source.idleMs()
  }

  async function routeTogether(source: Source, events: readonly FreshEvent[]): Promise<void> {
    const lease = newLease(clock)
    const route = createRoute({
      ...parts,
      lease,
      slots,
      onUnroutable: (event, error) => log.error({ error, event: event.id }, 'an event could not be matched'),
    })
    try {
      const { placed, overflow } = await route(events)
      for (const delivery of placed) start(delivery, lease)
      window.learn(placed.length, overflow)
      source.routed(events)
      metrics.freshEvents.inc({ source: source.name }, events.length)
    } catch (error) {
      // The database's trouble is not the events': it does not count as a try.
      if (store.isUnavailable(error)) await source.giveBack(events)
      throw error
    }
  }

  /** Due work; answers how long to wait before asking again. */
  async function claimMore(): Promise<number> {
    const lease = newLease(clock)
    const claimed = await store.claimDue(Math.min(slots.free('due'), mostDueAClaim), lease, slots.full())
    await hooks.load(
      claimed.filter((row) => hooks.get(row.accountId)?.version !== row.version).map((row) => row.accountId),
    )
    const refused = { full: [] as ClaimedDelivery[], crowded: [] as ClaimedDelivery[] }
    for (const row of claimed) {
      const { eventId, accountId, type, data, acceptedAt, recoveredMs, ...rest } = row
      if (recoveredMs !== null) slots.startSlowly(row.hookId, recoveredMs)
      const hook = hooks.get(accountId)?.hooks.get(row.hookId) ?? nowhere(row.hookId)
      const slot = slots.reserve(accountId, hook, 'due')
      if (typeof slot === 'string') refused[slot].push(row)
      else start({ ...rest, slot, event: { id: eventId, accountId, type, data, acceptedAt } }, lease)
    }
    await store.releaseClaimed(lease.id, refused.full, 0)
    await store.releaseClaimed(lease.id, refused.crowded, crowdedMs)
    const hasRefused = refused.full.length + refused.crowded.length > 0
    return claimed.length === 0 || hasRefused ? dueIdleMs : 0
  }

  async function loop(use: SlotUse, step: () => Promise<number>): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        await slots.whenFree(use)
        if (stopping.signal.aborted) return
        const idleMs = await step()
        if (idleMs > 0) await clock.sleep(idleMs)
      } catch (error) {
        metrics.databaseRetries.inc()
        log.warn({ error }, 'work could not be taken and is tried again')
        await clock.sleep(afterErrorMs)
      }
  }

  const loops = [
    ...parts.sources.map((source) => loop('fresh', () => routeFresh(source))),
    loop('due', claimMore),
  ]
  const onBeatError = (error: unknown): void => log.warn({ error }, 'the number of workers is not known')
  const beat = async (): Promise<void> => slots.shareAmong(await store.beat(id))
  beat().catch(onBeatError)
  const stopBeating = every(beatMs, beat, onBeatError)

  /** What a source had taken already is routed too, attempted here or due for others. */
  async function emptySources(): Promise<void> {
    for (const source of parts.sources) {
      const left = source.close()
      if (left.length > 0)
        await routeTogether(source, left).catch((error: unknown) =>
          log.warn({ error, events: left.length }, 'fresh events are left to other workers'),
        )
    }
  }

  return {
    id,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await emptySources()
      await Promise.all(underWay)
      await stopBeating()
      await store.leave(id).catch(() => {})
    },
  }
}

/** A hook that is not there any more: what waits for it needs a place only to be cancelled. */
function nowhere(id: number): { id: number; host: string; mostPerSecond: null } {
  return { id, host: '', mostPerSecond: null }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const first: T[] = []
  const second: T[] = []
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}

interface Lease extends LeaseTerms {
  /** On the monotonic clock, before the statement that takes it was sent. */
  takenAt: number
}

function newLease(clock: Clock): Lease {
  return { id: randomUUID(), seconds: leaseSeconds, takenAt: clock.monotonic() }
}

function leaseLeft(lease: Lease, clock: Clock): number {
  return lease.takenAt + lease.seconds * 1_000 - clock.monotonic()
}
