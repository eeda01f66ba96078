/**
 * A worker: routes fresh events and attempts deliveries, as many at once as it has places for.
 *   fresh:  sources → route → deliver
 *   due:    claim → deliver
 *   both:   settle in batches
 * It keeps nothing that the database does not have: killed at any moment, others take over when its leases end.
 */
import { randomUUID } from 'node:crypto'
import { createIsBusy } from '../ops/busy.ts'
import { every } from '../ops/every.ts'
import { type AttemptParts, createAttempts } from './attempts.ts'
import { createFairShare } from './fair-share.ts'
import { createHeavyAccounts } from './heavy-accounts.ts'
import { createSlots, type SlotLimits, type SlotUse } from './slots.ts'
import type { InboxSource } from './sources/inbox-source.ts'
import type { Source } from './sources/source.ts'
import { createTakeDue } from './take-due.ts'
import { createTakeFresh, type FreshParts } from './take-fresh.ts'
import { createTakeSuspects } from './take-suspects.ts'

export interface WorkerParts extends AttemptParts, Omit<FreshParts, 'heavy'> {
  /** Each is asked by itself, so that none waits for another. */
  sources: readonly Source[]
  /** Where the events of heavy accounts are taken from. */
  inbox: InboxSource
  limits: SlotLimits
  isResolverDown: () => boolean
}

export interface Worker {
  id: string
  /** How long one of its loops has done nothing but fail; 0 while all of them work. */
  failingSeconds: () => number
  /** Takes nothing more, waits for what is under way, and settles it. */
  stop: () => Promise<void>
}

const afterErrorMs = 500
const beatMs = 1_000

export function startWorker(parts: WorkerParts): Worker {
  const { store, clock, log, metrics, sources } = parts
  const id = randomUUID()
  const stopping = new AbortController()
  const slots = createSlots(parts.limits, clock.monotonic)
  const isBusy = createIsBusy()
  const share = createFairShare(clock.monotonic, isBusy)
  const attempts = createAttempts(parts, id, slots, share.count)
  const due = createTakeDue(parts, slots, attempts, share.over)
  const suspects = createTakeSuspects(parts, attempts)
  const heavy = createHeavyAccounts({ now: clock.monotonic, isBusy, isOverShare: share.isOver })
  const fresh = createTakeFresh({ ...parts, heavy }, slots, attempts, due.expect)

  /** Since when each loop that fails now has done so. */
  const failingSince = new Map<object, number>()

  /** A step answers how long to wait before the next. Without a use it needs no place. */
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
        log.warn({ error }, 'work could not be taken and is tried again')
        await clock.sleep(afterErrorMs)
      }
  }

  async function beat(): Promise<void> {
    slots.shareAmong(await store.beat(id, due.lagSeconds()))
  }

  const onBeatError = (error: unknown): void => log.warn({ error }, 'the number of workers is not known')
  beat().catch(onBeatError)
  const stopBeating = every(beatMs, beat, onBeatError)
  const loops = [
    ...sources.map((source) => loop('fresh', () => fresh.take(source, stopping.signal))),
    loop('fresh', () => fresh.takeHeavy()),
    loop('due', due.take),
    loop(undefined, suspects.takeTogether),
    loop(undefined, suspects.takeAlone),
  ]

  return {
    id,
    failingSeconds: () =>
      Math.max(0, ...[...failingSince.values()].map((at) => clock.monotonic() - at)) / 1_000,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      for (const source of sources) await fresh.empty(source)
      await fresh.whenScreened()
      await Promise.all([attempts.whenDone(), suspects.whenDone()])
      parts.runners.stop()
      await stopBeating()
      await store.leave(id).catch(() => {})
    },
  }
}
