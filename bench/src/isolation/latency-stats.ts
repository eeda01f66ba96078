/** Latency statistics of a run, and the tolerance for comparisons. Pure. */
import { percentile } from '../support/load.ts'
import { acceptedAt, eventIdAt, type RequestColumns } from './request-log.ts'

export interface Percentiles {
  p50: number
  p90: number
  p99: number
  p999: number
  max: number
}

/** Returns the milliseconds from acceptance to first arrival for each event. */
export function latenciesOf(
  accepted: readonly string[],
  columns: RequestColumns,
  /** Current wall-clock time. A missing event counts with the time from its acceptance until now. */
  now: number,
): { latencies: number[]; missing: number } {
  const arrivals = firstArrivals(columns)
  let missing = 0
  const latencies = accepted.map((id) => {
    const at = arrivals.get(id)
    if (at === undefined) missing++
    return Math.max(0, (at ?? now) - acceptedAt(id))
  })
  return { latencies, missing }
}

/** Counts requests beyond the first of each event. Valid if each account has one hook. */
export function countRepeats(columns: RequestColumns): number {
  return columns.count - firstArrivals(columns).size
}

export function firstArrivals(columns: RequestColumns): Map<string, number> {
  const arrivals = new Map<string, number>()
  for (let index = 0; index < columns.count; index++) {
    const id = eventIdAt(columns, index)
    if (!arrivals.has(id)) arrivals.set(id, columns.arrivedAt[index] ?? Number.NaN)
  }
  return arrivals
}

export function percentilesOf(latencies: readonly number[]): Percentiles {
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    p50: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
    max: percentile(sorted, 1),
  }
}

const maxRatio = 1.5
const maxExtraMs = 20

/** Returns whether a value is within 1.5 times the baseline, or 20 ms above it. Noise dominates small values. */
export function isWithinTolerance(baselineMs: number, withMs: number): boolean {
  return withMs <= Math.max(baselineMs * maxRatio, baselineMs + maxExtraMs)
}

export interface NoisyStats {
  requests: number
  delivered: number
  /** Maximum number of concurrent requests of one hook, and at one host. */
  maxPerHook: number
  maxPerHost: number
}

export function noisyStats(columns: RequestColumns): NoisyStats {
  return {
    requests: columns.count,
    delivered: columns.statuses.reduce((sum, status) => sum + (status >= 200 && status < 300 ? 1 : 0), 0),
    maxPerHook: columns.openPerHook.reduce((max, open) => Math.max(max, open), 0),
    maxPerHost: columns.openPerHost.reduce((max, open) => Math.max(max, open), 0),
  }
}
