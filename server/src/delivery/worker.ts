/**
 * A worker: attempts deliveries and routes fresh events, limited by its slots.
 *   handed off: leased to this worker when the event was accepted → deliver
 *   fresh:      inbox → route → deliver
 *   due:        claim → deliver
 *   all:        settle in batches
 * All its state is in the database: if it is silent for some seconds, other workers release its leases and take over.
 */
import { randomUUID } from 'node:crypto'
import { createIsBusy } from '../runtime/busy.ts'
import { startInterval, startIntervalNow } from '../runtime/every.ts'
import { createWakeableSleep, type WakeableSleep } from '../runtime/wakeable-sleep.ts'
import { type AttemptDeps, createAttemptRunner } from './attempt-runner.ts'
import { createFairShare } from './fair-share.ts'
import { createHeavyAccounts } from './heavy-accounts.ts'
import { createSlots, type SlotLimits, type Slots, type SlotUse } from './slots.ts'
import { createDuePoller } from './due-poller.ts'
import { createFence } from './fence.ts'
import { createFreshPoller, type FreshDeps } from './fresh-poller.ts'
import type { OtherWorker } from './queue/live-workers.ts'
import { createHandOffQueue, type HandOffQueue } from './hand-off-queue.ts'
import { createLeasedStarter } from './leased-starter.ts'
import { createSilenceWatch } from './silent-workers.ts'
import { createStartRate } from './start-rate.ts'
import { createSuspectPoller } from './suspect-poller.ts'

export interface WorkerDeps extends AttemptDeps, Omit<FreshDeps, 'heavy'> {
  limits: SlotLimits
  isResolverDown: () => boolean
}

export interface Worker {
  id: string
  /** Where api processes hand off deliveries that they leased to this worker. */
  handOffs: Pick<HandOffQueue, 'room' | 'receive'>
  roomOf: Slots['roomOf']
  atLimit: Slots['atLimit']
  /** Events have arrived in the inbox. */
  wake: () => void
  /** How long one of its loops has only failed; 0 while all work. */
  failingSeconds: () => number
  /** Stops polling, waits for attempts in flight, and settles them. */
  stop: () => Promise<void>
}

const afterErrorMs = 500
const heartbeatMs = 1_000
const findLostMs = 500
/** While heartbeats fail, loops wait for the next one. */
const whileFencedMs = 100

export function startWorker(deps: WorkerDeps): Worker {
  const { store, clock, log, metrics } = deps
  const id = randomUUID()
  const stopping = new AbortController()
  const slots = createSlots(deps.limits, clock.monotonic)
  const isBusy = createIsBusy()
  const share = createFairShare(clock.monotonic, isBusy)
  const fence = createFence(clock.monotonic)
  const silentAmong = createSilenceWatch(clock.monotonic)
  let releasing: Promise<void> | undefined
  const startRate = createStartRate(clock.monotonic)
  const attempts = createAttemptRunner(deps, id, slots, {
    onStart(accountId) {
      share.count(accountId)
      startRate.count()
    },
    holds: fence.holds,
  })
  const starter = createLeasedStarter(deps.hooks, slots, attempts)
  const handOffs = createHandOffQueue(deps, slots, starter, {
    worker: id,
    maxSlots: deps.limits.total,
    isOpen: fence.isOpen,
    isInboxBehind: () => fresh.isBehind(),
    startsPerSecond: startRate.perSecond,
    onReleased: wakeDue,
  })
  const due = createDuePoller(deps, id, slots, starter, share.over)
  const suspects = createSuspectPoller(deps, id, attempts)
  const heavy = createHeavyAccounts({ now: clock.monotonic, isBusy, isOverShare: share.isOverShare })
  const [inboxSleep, dueSleep, heavySleep] = [
    createWakeableSleep(),
    createWakeableSleep(),
    createWakeableSleep(),
  ]
  const fresh = createFreshPoller({ ...deps, heavy }, id, slots, attempts, {
    onOverflow: wakeDue,
    onSetApart: heavySleep.wake,
  })

  function wakeDue(): void {
    due.wake()
    dueSleep.wake()
  }

  /** Start of the failure of each failing loop. */
  const failingSince = new Map<object, number>()

  /** Repeats a step, which returns the delay before the next, unless woken. Without a use it needs no slot. */
  async function loop(
    use: SlotUse | undefined,
    step: () => Promise<number>,
    { sleep }: Pick<WakeableSleep, 'sleep'> = createWakeableSleep(),
  ): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        if (use !== undefined) await slots.whenFree(use)
        if (stopping.signal.aborted) return
        if (!fence.isOpen()) {
          if (!failingSince.has(step)) failingSince.set(step, clock.monotonic())
          await clock.sleep(whileFencedMs)
          continue
        }
        const idleMs = await step()
        failingSince.delete(step)
        if (idleMs > 0) await sleep(idleMs)
      } catch (error) {
        if (!failingSince.has(step)) failingSince.set(step, clock.monotonic())
        metrics.databaseRetries.inc()
        log.warn({ error }, 'claim failed, retrying')
        await clock.sleep(afterErrorMs)
      }
  }

  async function heartbeat(): Promise<void> {
    const sentAt = clock.monotonic()
    const others = await store.heartbeat(id, due.lagSeconds())
    fence.heartbeat(sentAt)
    slots.setWorkerCount(1 + others.filter(({ isLive }) => isLive).length)
    releaseSilent(silentAmong(others))
  }

  /** The next heartbeat does not wait for it: a heartbeat that is late stops this worker too. */
  function releaseSilent(silent: readonly OtherWorker[]): void {
    if (silent.length === 0 || releasing !== undefined) return
    releasing = releaseWorkers(silent)
      .catch((error: unknown) => log.warn({ error }, 'leases of silent workers not released, retrying'))
      .finally(() => (releasing = undefined))
  }

  async function releaseWorkers(silent: readonly OtherWorker[]): Promise<void> {
    for (const worker of silent) {
      const deliveries = await store.releaseSilentWorker(worker)
      log.warn({ worker: worker.id, deliveries }, 'worker silent, leases released')
    }
  }

  const onHeartbeatError = (error: unknown): void => {
    metrics.databaseRetries.inc()
    log.warn({ error }, 'heartbeat failed')
  }
  const stopHeartbeat = startIntervalNow(heartbeatMs, heartbeat, onHeartbeatError)
  const stopReleasing = startInterval(
    findLostMs,
    () => handOffs.releaseLost(),
    (error) => log.warn({ error }, 'lost hand-offs not released, retrying'),
  )
  const loops = [
    loop('fresh', fresh.poll, inboxSleep),
    loop('fresh', () => fresh.pollHeavy(), heavySleep),
    loop('due', due.poll, dueSleep),
    loop(undefined, suspects.pollTogether),
    loop(undefined, suspects.pollAlone),
  ]

  return {
    id,
    handOffs,
    roomOf: slots.roomOf,
    atLimit: slots.atLimit,
    wake() {
      fresh.wake()
      inboxSleep.wake()
    },
    failingSeconds: () =>
      Math.max(0, ...[...failingSince.values()].map((at) => clock.monotonic() - at)) / 1_000,
    async stop() {
      stopping.abort()
      handOffs.close()
      for (const { wake } of [inboxSleep, dueSleep, heavySleep]) wake()
      await Promise.all(loops)
      await fresh.whenDone()
      await Promise.all([handOffs.whenDone(), suspects.whenDone()])
      await attempts.whenDone()
      deps.runners.stop()
      await stopHeartbeat()
      await stopReleasing()
      await releasing
      await handOffs.releaseLost(0).catch(onHeartbeatError)
      await store.leave(id).catch(() => {})
    },
  }
}
