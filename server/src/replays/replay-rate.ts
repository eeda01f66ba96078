/** The rate at which a replay finishes deliveries, as a moving average, and the time left at that rate. */
import type { ClaimedReplay, Replay } from './replay-store.ts'

/** Older measurements count less: by half after about seven seconds. */
const smoothingMs = 10_000
/** Counts are about a second apart. After a longer time without a finished delivery, the rate declines. */
const countIntervalMs = 2_000
const minPerSecond = 0.01

/** Measures from the previous count to the time of the claim. Null: there is only one count. */
export function measureRate(
  replay: Pick<ClaimedReplay, 'countedAt' | 'claimedAt' | 'delivered' | 'failed' | 'perSecond'>,
  counts: { delivered: number; failed: number },
): number | null {
  const { countedAt, claimedAt, perSecond } = replay
  if (countedAt === null) return null
  const elapsedMs = claimedAt.getTime() - countedAt.getTime()
  if (elapsedMs <= 0) return perSecond
  const finished = counts.delivered + counts.failed - replay.delivered - replay.failed
  const measured = (Math.max(0, finished) * 1_000) / elapsedMs
  if (perSecond === null) return measured
  return perSecond + (measured - perSecond) * (1 - Math.exp(-elapsedMs / smoothingMs))
}

interface Estimate {
  perSecond: number | null
  /** Null if unknown, or while the remaining deliveries wait for something else than the rate. */
  secondsLeft: number | null
}

/** Estimates for a replay as of `now`. */
export function estimate(
  replay: Pick<
    Replay,
    | 'state'
    | 'perSecond'
    | 'countedAt'
    | 'isRead'
    | 'total'
    | 'delivered'
    | 'failed'
    | 'skipped'
    | 'waiting'
    | 'started'
  >,
  now: number,
): Estimate {
  const { state, countedAt } = replay
  if (state !== 'running' || replay.perSecond === null || countedAt === null)
    return { perSecond: null, secondsLeft: null }
  const idleMs = Math.max(0, now - countedAt.getTime() - countIntervalMs)
  const perSecond = replay.perSecond * Math.exp(-idleMs / smoothingMs)
  const left = replay.total - replay.delivered - replay.failed - replay.skipped
  const isEstimable = perSecond >= minPerSecond && left > countBlocked(replay)
  return {
    perSecond: Math.round(perSecond * 10) / 10,
    secondsLeft: isEstimable ? Math.ceil(left / perSecond) : null,
  }
}

/** Deliveries that wait for something else than their turn. */
function countBlocked({ waiting }: Pick<Replay, 'waiting'>): number {
  return waiting.reduce((sum, { reason, count }) => (reason === 'rate_limit' ? sum : sum + count), 0)
}
