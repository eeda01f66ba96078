/** What a turn is boiled down to, and how two kinds of turn are compared. Pure. */
import { percentile } from '../load.ts'
import { acceptedAt, eventIdAt, type RequestColumns } from './request-log.ts'

export interface Spread {
  p50: number
  p90: number
  p99: number
  p999: number
  max: number
}

/** Milliseconds from acceptance to first arrival, for each of these events. */
export function latenciesOf(
  accepted: readonly string[],
  columns: RequestColumns,
  /** By the wall clock: what has not arrived is as late as this says, and at least so late. */
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

/** Requests beyond the first of each event: what a receiver with one hook per account got more than once. */
export function repeatsIn(columns: RequestColumns): number {
  return columns.count - firstArrivals(columns).size
}

export function firstArrivals(columns: RequestColumns): Map<string, number> {
  const arrivals = new Map<string, number>()
  for (let place = 0; place < columns.count; place++) {
    const id = eventIdAt(columns, place)
    if (!arrivals.has(id)) arrivals.set(id, columns.arrivedAt[place] ?? Number.NaN)
  }
  return arrivals
}

export function spreadOf(latencies: readonly number[]): Spread {
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    p50: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
    max: percentile(sorted, 1),
  }
}

const mostTimes = 1.5
const mostMoreMs = 20

/** Held: within one and a half times the baseline, or within 20 ms of it, where it is so small that noise is more. */
export function isNear(baselineMs: number, withMs: number): boolean {
  return withMs <= Math.max(baselineMs * mostTimes, baselineMs + mostMoreMs)
}

export interface TroubleSeen {
  requests: number
  delivered: number
  /** Most requests open at once: of one hook, at one host. */
  mostOfHook: number
  mostOfHost: number
}

export function troubleSeen(columns: RequestColumns): TroubleSeen {
  return {
    requests: columns.count,
    delivered: columns.statuses.reduce((sum, status) => sum + (status >= 200 && status < 300 ? 1 : 0), 0),
    mostOfHook: columns.openOfHook.reduce((most, open) => Math.max(most, open), 0),
    mostOfHost: columns.openOfHost.reduce((most, open) => Math.max(most, open), 0),
  }
}
