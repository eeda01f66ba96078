/**
 * A worker: routes fresh events and attempts deliveries, limited by its slots.
 *   fresh:  sources → route → deliver
 *   due:    claim → deliver
 *   both:   settle in batches
 * All its state is in the database: if it is killed, other workers take over when its leases expire.
 */
import { randomUUID } from 'node:crypto'
import { createIsBusy } from '../runtime/busy.ts'
import { startInterval } from '../runtime/every.ts'
import { type AttemptDeps, createAttemptRunner } from './attempt-runner.ts'
import { createFairShare } from './fair-share.ts'
import { createHeavyAccounts } from './heavy-accounts.ts'
import { createSlots, type SlotLimits, type SlotUse } from './slots.ts'
import type { InboxSource } from './sources/inbox-source.ts'
import type { Source } from './sources/source.ts'
import { createDuePoller } from './due-poller.ts'
import { createFreshPoller, type FreshDeps } from './fresh-poller.ts'
import { createSuspectPoller } from './suspect-poller.ts'

export interface WorkerDeps extends AttemptDeps, Omit<FreshDeps, 'heavy'> {
  /** Each source is polled separately, so none waits for another. */
  sources: readonly Source[]
  /** The source of heavy accounts' events. */
  inbox: InboxSource
  limits: SlotLimits
  isResolverDown: () => boolean
}

export interface Worker {
  id: string
  /** How long one of its loops has only failed; 0 while all work. */
  failingSeconds: () => number
  /** Stops polling, waits for attempts in flight, and settles them. */
  stop: () => Promise<void>
}

const afterErrorMs = 500
const heartbeatMs = 1_000

export function startWorker(deps: WorkerDeps): Worker {
  const { store, clock, log, metrics, sources } = deps
  const id = randomUUID()
  const stopping = new AbortController()
  const slots = createSlots(deps.limits, clock.monotonic)
  const isBusy = createIsBusy()
  const share = createFairShare(clock.monotonic, isBusy)
  const attempts = createAttemptRunner(deps, id, slots, share.count)
  const due = createDuePoller(deps, slots, attempts, share.over)
  const suspects = createSuspectPoller(deps, attempts)
  const heavy = createHeavyAccounts({ now: clock.monotonic, isBusy, isOverShare: share.isOverShare })
  const fresh = createFreshPoller({ ...deps, heavy }, slots, attempts, due.wake)

  /** Start of the failure of each failing loop. */
  const failingSince = new Map<object, number>()

  /** Repeats a step, which returns the delay before the next. Without a use it needs no slot. */
  async function loop(use: SlotUse | undefined, step: () => Promise<number>): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        if (use !== undefined) await slots.whenFree(use)
        if (stopping.signal.aborted) return
        const idleMs = await step()
        failingSince.delete(step)
        if (idleMs > 0) await clock.sleep(idleMs)
      } catch (error) {
        if (!failingSince.has(step)) failingSince.set(step, clock.monotonic())
        metrics.databaseRetries.inc()
        log.warn({ error }, 'claim failed, retrying')
        await clock.sleep(afterErrorMs)
      }
  }

  async function heartbeat(): Promise<void> {
    slots.setWorkerCount(await store.heartbeat(id, due.lagSeconds()))
  }

  const onHeartbeatError = (error: unknown): void => log.warn({ error }, 'heartbeat failed')
  heartbeat().catch(onHeartbeatError)
  const stopHeartbeat = startInterval(heartbeatMs, heartbeat, onHeartbeatError)
  const loops = [
    ...sources.map((source) => loop('fresh', () => fresh.poll(source, stopping.signal))),
    loop('fresh', () => fresh.pollHeavy()),
    loop('due', due.poll),
    loop(undefined, suspects.pollTogether),
    loop(undefined, suspects.pollAlone),
  ]

  return {
    id,
    failingSeconds: () =>
      Math.max(0, ...[...failingSince.values()].map((at) => clock.monotonic() - at)) / 1_000,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      for (const source of sources) await fresh.close(source)
      await fresh.whenDone()
      await Promise.all([attempts.whenDone(), suspects.whenDone()])
      deps.runners.stop()
      await stopHeartbeat()
      await store.leave(id).catch(() => {})
    },
  }
}
