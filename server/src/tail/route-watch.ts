/** Events of a tail whose route is not reported yet: the newest ones, each for a limited time. */
import type { Clock } from '../runtime/clock.ts'

export interface RouteWatch {
  add: (eventId: string) => void
  remove: (eventId: string) => void
  eventIds: () => string[]
}

/** Events are routed within milliseconds. Later routes, after an outage, are visible in searches. */
export const watchMs = 30_000
export const maxWatched = 200

export function createRouteWatch({ monotonic }: Pick<Clock, 'monotonic'>): RouteWatch {
  const endsAt = new Map<string, number>()
  return {
    add(eventId) {
      endsAt.set(eventId, monotonic() + watchMs)
      const [oldest] = endsAt.keys()
      if (endsAt.size > maxWatched && oldest !== undefined) endsAt.delete(oldest)
    },
    remove: (eventId) => endsAt.delete(eventId),
    eventIds() {
      for (const [eventId, end] of endsAt) if (end < monotonic()) endsAt.delete(eventId)
      return [...endsAt.keys()]
    },
  }
}
