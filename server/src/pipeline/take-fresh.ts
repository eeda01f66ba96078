/**
 * Fresh events: source → route → attempts, as many at once as find places. What finds none is due work for whoever has one.
 */
import type { Event } from '../model/event.ts'
import type { Clock } from '../ops/clock.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Attempts } from './attempts.ts'
import { newLease } from './lease.ts'
import { route } from './route.ts'
import type { Slots } from './slots.ts'
import type { FreshEvent, Source } from './sources/source.ts'
import { createWindow } from './window.ts'
import type { IsHoldFull } from './work/held.ts'
import type { WorkStore } from './work/work-store.ts'

export interface FreshParts {
  store: WorkStore
  hooks: DeliveryHooks
  clock: Clock
  log: Log
  metrics: Metrics
  /** Whether a disabled hook holds as much as it may. */
  isHoldFull: IsHoldFull
}

export interface TakeFresh {
  /** Answers how long to wait before asking this source again. */
  take: (source: Source, signal: AbortSignal) => Promise<number>
  /** What a source had taken already is routed too, attempted here or due for others. */
  empty: (source: Source) => Promise<void>
}

export function createTakeFresh(
  parts: FreshParts,
  slots: Slots,
  attempts: Attempts,
  onOverflow: () => void,
): TakeFresh {
  const { store, clock, log, metrics } = parts
  const window = createWindow()

  function onUnroutable(event: Event, error: unknown): void {
    log.error({ error, event: event.id }, 'an event could not be matched')
  }

  async function routeTogether(source: Source, events: readonly FreshEvent[]): Promise<void> {
    const lease = newLease(clock)
    try {
      const { placed, overflow } = await route({ ...parts, lease, slots, onUnroutable }, events)
      for (const delivery of placed) attempts.start(delivery, lease)
      window.learn(placed.length, overflow)
      if (overflow > 0) onOverflow()
      source.routed(events)
      metrics.freshEvents.inc({ source: source.name }, events.length)
    } catch (error) {
      // The database's trouble is not the events': it does not count as a try.
      if (store.isUnavailable(error)) await source.giveBack(events)
      throw error
    }
  }

  return {
    async take(source, signal) {
      const events = await source.take(Math.min(slots.free('fresh'), window.size()), signal)
      // One that was begun before may be what broke its worker: it goes alone, so that it takes no other with it.
      const first = events.filter(({ tries }) => tries === 1)
      const again = events.filter(({ tries }) => tries > 1)
      for (const together of [first, ...again.map((event) => [event])])
        if (together.length > 0) await routeTogether(source, together)
      return events.length > 0 ? 0 : source.idleMs()
    },
    async empty(source) {
      const left = source.close()
      if (left.length === 0) return
      await routeTogether(source, left).catch((error: unknown) =>
        log.warn({ error, events: left.length }, 'fresh events are left to other workers'),
      )
    },
  }
}
