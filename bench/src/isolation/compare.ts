/** Compares runs with the noisy neighbor to runs without it. Pure. */
import { isWithinTolerance, type Percentiles, percentilesOf } from './latency-stats.ts'
import type { Kind, RunResult } from './run.ts'

export interface Comparison {
  baseline: Percentiles
  with: Percentiles
  /** Ratio of the p99 values. */
  ratio: number
  /** Events per second in bursts. Undefined if there were no bursts. */
  throughput?: { baseline: number; with: number; ratio: number }
  violations: string[]
}

const minThroughput = 0.9
/** Minimum ratio of accepted to submitted events. Below it, the load was not the intended one. */
const minAccepted = 0.9

/** A slower baseline means that the machine was busy, so the effect of the noisy neighbor would not be visible. */
const maxBaselineMs = 500

export function compare(runs: Record<Kind, RunResult[]>): Comparison {
  const baseline = percentilesOf(runs.baseline.flatMap(({ latencies }) => latencies))
  const withNoisy = percentilesOf(runs.with.flatMap(({ latencies }) => latencies))
  const throughput = throughputOf(runs)
  const violations: string[] = []
  if (!(baseline.p99 <= maxBaselineMs))
    violations.push(
      `the p99 of the baseline is ${baseline.p99.toFixed(0)} ms: the machine is too busy for a comparison`,
    )
  if (!isWithinTolerance(baseline.p99, withNoisy.p99))
    violations.push(`p99 rose from ${baseline.p99.toFixed(0)} to ${withNoisy.p99.toFixed(0)} ms`)
  for (const kind of ['baseline', 'with'] as const) violations.push(...shortfalls(kind, runs[kind]))
  if (throughput !== undefined && !(throughput.ratio >= minThroughput))
    violations.push(`burst throughput is ${throughput.ratio.toFixed(2)} of the baseline`)
  if (runs.with.some(({ noisy }) => noisy !== undefined && noisy.requests + noisy.maxHanging === 0))
    violations.push('the noisy neighbor got no requests, so nothing was measured')
  return {
    baseline,
    with: withNoisy,
    ratio: withNoisy.p99 / baseline.p99,
    ...(throughput && { throughput }),
    violations,
  }
}

function shortfalls(kind: Kind, runs: readonly RunResult[]): string[] {
  const sum = (of: (run: RunResult) => number): number => runs.reduce((all, run) => all + of(run), 0)
  const missing = sum((run) => run.missing)
  const offered = sum((run) => run.offered)
  const accepted = offered - sum((run) => run.rejected)
  const errors = sum((run) => run.loggedProblems.errors)
  return [
    ...(errors > 0 ? [`${kind}: the service logged ${errors} errors`] : []),
    ...(missing > 0 ? [`${kind}: ${missing} healthy events did not arrive in time`] : []),
    ...(accepted >= offered * minAccepted && accepted > 0
      ? []
      : [`${kind}: only ${accepted} of ${offered} healthy events were accepted`]),
  ]
}

/** Returns the median throughput of all bursts of each kind. */
function throughputOf(runs: Record<Kind, RunResult[]>): Comparison['throughput'] {
  const [baseline = Number.NaN, withNoisy = Number.NaN] = (['baseline', 'with'] as const).map(
    (kind) => percentilesOf(runs[kind].flatMap(({ bursts }) => bursts)).p50,
  )
  return Number.isNaN(baseline) ? undefined : { baseline, with: withNoisy, ratio: withNoisy / baseline }
}
