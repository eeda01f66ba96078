/**
 * A worker: routes fresh events and attempts deliveries, as many at once as it has places for.
 *   fresh:  sources → route → deliver
 *   due:    claim → deliver
 *   both:   settle in batches
 * It keeps nothing that the database does not have: killed at any moment, others take over when its leases end.
 */
import { randomUUID } from 'node:crypto'
import { every } from '../ops/every.ts'
import { type AttemptParts, createAttempts } from './attempts.ts'
import { createSlots, type SlotLimits, type SlotUse } from './slots.ts'
import type { Source } from './sources/source.ts'
import { createTakeDue } from './take-due.ts'
import { createTakeFresh, type FreshParts } from './take-fresh.ts'

export interface WorkerParts extends AttemptParts, FreshParts {
  /** Each is asked by itself, so that none waits for another. */
  sources: readonly Source[]
  limits: SlotLimits
}

export interface Worker {
  id: string
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
  const attempts = createAttempts(parts, id, slots)
  const due = createTakeDue(parts, slots, attempts)
  const fresh = createTakeFresh(parts, slots, attempts, due.expect)

  /** A step answers how long to wait before the next. */
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

  async function beat(): Promise<void> {
    slots.shareAmong(await store.beat(id, due.lagSeconds()))
  }

  const onBeatError = (error: unknown): void => log.warn({ error }, 'the number of workers is not known')
  beat().catch(onBeatError)
  const stopBeating = every(beatMs, beat, onBeatError)
  const loops = [
    ...sources.map((source) => loop('fresh', () => fresh.take(source, stopping.signal))),
    loop('due', due.take),
  ]

  return {
    id,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      for (const source of sources) await fresh.empty(source)
      await attempts.whenDone()
      await stopBeating()
      await store.leave(id).catch(() => {})
    },
  }
}
