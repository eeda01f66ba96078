/**
 * Finds workers that have stopped sending heartbeats. Silence counts only while the heartbeats of this worker succeed: after
 * an outage of the database, every worker has been silent for as long.
 */
import { closeAfterMs, maxSilenceMs } from './fence.ts'
import type { OtherWorker } from './queue/live-workers.ts'

interface Seen {
  seenAt: string
  /** When this worker first saw this time, on the monotonic clock. */
  since: number
}

/** Returns a function that takes the other workers as of a heartbeat, and returns the silent ones. */
export function createSilenceWatch(now: () => number): (others: readonly OtherWorker[]) => OtherWorker[] {
  let seen = new Map<string, Seen>()
  let lastAt = Number.NEGATIVE_INFINITY
  return (others) => {
    const isInterrupted = now() - lastAt > closeAfterMs
    lastAt = now()
    const previous = isInterrupted ? new Map<string, Seen>() : seen
    seen = new Map(
      others.map(({ id, seenAt }) => {
        const last = previous.get(id)
        return [id, last?.seenAt === seenAt ? last : { seenAt, since: now() }]
      }),
    )
    return others.filter(({ id }) => now() - (seen.get(id)?.since ?? now()) >= maxSilenceMs)
  }
}
