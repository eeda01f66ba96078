/**
 * Deliveries that api processes leased to this worker when they accepted the events, and handed off. They start as slots
 * are free; until then some of them wait here. One that waits too long becomes due, for any worker.
 * A hand-off is never the only copy: a delivery whose hand-off is lost has its lease in the database, where this worker
 * finds it. What arrives after that is dropped.
 *
 *   received ── hooks current, slot free ─▶ started
 *            ── hooks outdated ─▶ waits for them ─▶ started
 *            ── no slot ─▶ waits ─▶ started
 *            ── hook at its limit or on hold, or waited too long ─▶ released: due
 */
import type { HookCache } from '../hooks/hook-cache.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { type LeasedStarter, slowLimitDelayMs } from './leased-starter.ts'
import type { ClaimedDelivery } from './queue/claim.ts'
import type { LeasedName } from './queue/hand-offs.ts'
import type { Lease } from './queue/lease.ts'
import type { DeliveryQueue } from './queue/queue.ts'
import type { Slots } from './slots.ts'

interface HandOffDeps {
  store: Pick<DeliveryQueue, 'findHandOffs' | 'releaseHandOffs'>
  hooks: HookCache
  clock: Clock
  log: Log
  metrics: Metrics
}

interface HandOffOptions {
  worker: string
  /** All slots of this worker. */
  maxSlots: number
  /** Whether this worker may start attempts. */
  isOpen: () => boolean
  /** Whether events wait in the inbox. They get a part of the slots. */
  isInboxBehind: () => boolean
  /** The attempts of this worker that start per second. */
  startsPerSecond: () => number
  /** Deliveries were released: they are due. */
  onReleased: () => void
}

export interface HandOffQueue {
  /** The number of deliveries that this worker takes now. */
  room: () => number
  /** Takes deliveries of one lease. */
  receive: (deliveries: readonly ClaimedDelivery[], lease: Lease) => void
  /**
   * Releases deliveries that were leased to this worker at least this long ago and did not arrive, and those that could not
   * be released before.
   */
  releaseLost: (minAgeMs?: number) => Promise<void>
  /** Takes nothing more, and releases what waits and what arrives. */
  close: () => void
  whenDone: () => Promise<void>
}

/** Deliveries wait for at most this time at the current rate. Enough to keep slots in use between two commits. */
const maxQueueMs = 150
/** Deliveries that may wait whatever the rate is, at first or after a pause. */
const minWaiting = 128
/** Bounds the memory: these events have at most 64 KiB each. */
const maxQueued = 1_024
/** A delivery that waits longer for a slot or for its hooks is due: another worker may have both. */
const maxWaitMs = 1_000
const checkWaitEveryMs = 250
const checkHooksEveryMs = 20
/** Slots left to events of the inbox while some wait there, relative to all slots. */
const inboxRatio = 1 / 8
const reservedMs = 5
/** Far longer than a hand-off takes. */
const lostAfterMs = 1_500
/** A lease ends within 30 s. */
const rememberLeaseMs = 60_000

interface Waiting {
  delivery: ClaimedDelivery
  lease: Lease
  since: number
}

export function createHandOffQueue(
  { store, hooks, clock, log, metrics }: HandOffDeps,
  slots: Slots,
  starter: LeasedStarter,
  { worker, maxSlots, isOpen, isInboxBehind, startsPerSecond, onReleased }: HandOffOptions,
): HandOffQueue {
  const forInbox = Math.ceil(maxSlots * inboxRatio)
  /** For a slot. */
  let waiting: Waiting[] = []
  let waitingForHooks = 0
  /** To be released, by delay. They stay here until the database has done it. */
  const unreleased = new Map<number, LeasedName[]>()
  /** Leases that have arrived or were given up, and when. */
  const leases = new Map<string, number>()
  const running = new Set<Promise<unknown>>()
  let isPumping = false
  let isClosed = false

  function run(task: Promise<unknown>): void {
    const tracked = task
      .catch((error: unknown) => log.warn({ error }, 'handed-off deliveries not released, retrying'))
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }

  function release(rows: readonly LeasedName[], afterMs = 0): void {
    if (rows.length > 0) unreleased.set(afterMs, [...(unreleased.get(afterMs) ?? []), ...rows])
  }

  function releaseWaiting(entries: readonly Waiting[]): void {
    release(entries.map(({ delivery, lease }) => ({ ...delivery, lease: lease.id })))
  }

  /** What cannot be released now is released later. */
  async function flushReleases(): Promise<void> {
    for (const [afterMs, rows] of unreleased) {
      unreleased.delete(afterMs)
      try {
        await store.releaseHandOffs(rows, afterMs)
        onReleased()
      } catch (error) {
        release(rows, afterMs)
        throw error
      }
    }
  }

  function start(entries: readonly Waiting[]): void {
    for (const [lease, group] of Map.groupBy(entries, (entry) => entry.lease)) {
      const named = (delivery: Pick<ClaimedDelivery, 'accountId' | 'hookId' | 'eventId'>): LeasedName => ({
        ...delivery,
        lease: lease.id,
      })
      const deliveries = group.map(({ delivery }) => delivery)
      const { limit, slowLimit, held } = starter.start(deliveries, lease, 'fresh')
      // A claim puts the lane of a held one on hold.
      release([...limit, ...held].map(named))
      release(slowLimit.map(named), slowLimitDelayMs)
    }
    if (unreleased.size > 0) run(flushReleases())
  }

  /** Starts deliveries whose hooks are current. The others wait for the hooks of their own account only. */
  function startOrLoad(entries: readonly Waiting[]): void {
    const outdated = entries.filter(({ delivery }) => !starter.isCurrent(delivery))
    start(outdated.length === 0 ? entries : entries.filter((entry) => !outdated.includes(entry)))
    for (const [accountId, group] of Map.groupBy(outdated, ({ delivery }) => delivery.accountId))
      run(startWhenLoaded(accountId, group))
  }

  /** Accounts are loaded together, and the hooks of one may be cached before those of another. */
  async function startWhenLoaded(accountId: number, entries: readonly Waiting[]): Promise<void> {
    const [first] = entries
    if (first === undefined) return
    waitingForHooks += entries.length
    const load = { isDone: false }
    const loading = hooks.load([accountId]).then(() => (load.isDone = true))
    const areCurrent = (): boolean =>
      load.isDone || entries.every(({ delivery }) => starter.isCurrent(delivery))
    try {
      while (!areCurrent()) {
        if (clock.monotonic() - first.since > maxWaitMs) break
        await Promise.race([loading, clock.sleep(checkHooksEveryMs)])
      }
    } catch (error) {
      log.warn({ error }, 'hooks not loaded, handed-off deliveries due')
    } finally {
      waitingForHooks -= entries.length
      loading.catch(() => {})
    }
    if (areCurrent()) return start(entries)
    releaseWaiting(entries)
    await flushReleases()
  }

  /** A slow worker takes less: what waits here cannot start elsewhere. */
  function maxWaiting(): number {
    return Math.min(maxQueued, Math.max(minWaiting, (startsPerSecond() * maxQueueMs) / 1_000))
  }

  function releaseOverdue(): void {
    const end = waiting.findIndex(({ since }) => clock.monotonic() - since <= maxWaitMs)
    releaseWaiting(waiting.splice(0, end === -1 ? waiting.length : end))
    if (unreleased.size > 0) run(flushReleases())
  }

  /** Starts what waits as slots become free. */
  async function pump(): Promise<void> {
    isPumping = true
    try {
      while (waiting.length > 0) {
        const free = slots.free('fresh')
        const unreserved = free - (isInboxBehind() ? forInbox : 0)
        if (unreserved > 0) startOrLoad(waiting.splice(0, unreserved))
        else if (free > 0) await clock.sleep(reservedMs)
        else await Promise.race([slots.whenFree('fresh'), clock.sleep(checkWaitEveryMs)])
        releaseOverdue()
      }
    } finally {
      isPumping = false
    }
  }

  return {
    room() {
      if (isClosed || !isOpen()) return 0
      const taken = waiting.length + waitingForHooks
      return Math.max(0, Math.floor(slots.free('fresh') + maxWaiting() - taken))
    },
    receive(deliveries, lease) {
      if (leases.has(lease.id)) return
      leases.set(lease.id, clock.monotonic())
      metrics.freshEvents.inc({ source: 'handoff' }, new Set(deliveries.map(({ eventId }) => eventId)).size)
      const since = clock.monotonic()
      const entries = deliveries.map((delivery) => ({ delivery, lease, since }))
      // Several api processes may have used the same room.
      const isFull = waiting.length + waitingForHooks > 2 * maxQueued
      if (isClosed || isFull) {
        releaseWaiting(entries)
        return run(flushReleases())
      }
      waiting.push(...entries)
      if (!isPumping) run(pump())
    },
    async releaseLost(minAgeMs = lostAfterMs) {
      for (const [id, at] of leases) {
        if (clock.monotonic() - at < rememberLeaseMs) break
        leases.delete(id)
      }
      await flushReleases()
      const leased = await store.findHandOffs(worker, minAgeMs)
      const lost = leased.filter(({ lease }) => !leases.has(lease))
      if (lost.length === 0) return
      for (const { lease } of lost) leases.set(lease, clock.monotonic())
      log.warn({ deliveries: lost.length }, 'hand-off lost, deliveries due')
      release(lost)
      await flushReleases()
    },
    close() {
      isClosed = true
      releaseWaiting(waiting.splice(0))
      run(flushReleases())
    },
    async whenDone() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
