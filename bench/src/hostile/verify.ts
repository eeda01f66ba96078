/** Compares a run with the hostile tenant to the same run without it. Pure. */
import { formatCounts } from './report.ts'
import { isWithinTolerance, percentilesOf } from '../isolation/latency-stats.ts'
import type { Kind } from '../isolation/run.ts'
import type { RunResult, Runs } from './run.ts'

interface Expected {
  hooks: number
  activities: readonly string[]
  /** A short run shows only that nothing fails. Latency and memory over a few seconds are not meaningful. */
  isSmoke: boolean
}

/** A slower baseline means that the machine was busy, so the effect of the tenant would not be visible. */
const maxBaselineMs = 500
/** API calls of healthy accounts share a process with calls of the tenant, so their limit is higher. */
const maxExtraApiMs = 100
const maxApiRatio = 1.5

/** Returns the violations. */
export function verifyHostile(runs: Runs, expected: Expected): string[] {
  const { baseline, with: withTenant } = runs
  return [
    ...integrity('baseline', baseline),
    ...integrity('with', withTenant),
    ...participation(withTenant, expected),
    ...(expected.isSmoke ? [] : [...latency(runs), ...apiLatency(runs), ...memory(withTenant)]),
  ]
}

function integrity(kind: Kind, { steady, api, exited, loggedProblems }: RunResult): string[] {
  const { missing, repeats, rejected, offered } = steady
  return [
    ...exited.map((end) => `${kind}: ${end}`),
    ...(missing > 0 ? [`${kind}: ${missing} healthy events did not arrive`] : []),
    ...(repeats > 0 ? [`${kind}: healthy receivers got ${repeats} requests more than once`] : []),
    ...(rejected > 0 || offered === 0
      ? [`${kind}: ${rejected} of ${offered} healthy events were not accepted`]
      : []),
    ...[...api.failures].map(
      ([reason, count]) => `${kind}: ${count} API calls of healthy accounts failed: ${reason}`,
    ),
    ...(loggedProblems.errors > 0 ? [`${kind}: the service logged ${loggedProblems.errors} errors`] : []),
  ]
}

/** Checks that each activity of the tenant got responses. Without them the run proves nothing. */
function participation({ hostile }: RunResult, { hooks, activities }: Expected): string[] {
  if (hostile === undefined) return ['the hostile tenant did not run']
  const idle = activities.filter(
    (name) => !Object.keys(hostile.results[name] ?? {}).some((result) => /^\d{3}$|^cut$/.test(result)),
  )
  return [
    ...(hostile.registered < hooks
      ? [
          `the hostile tenant registered ${hostile.registered} of ${hooks} webhooks; rejected: ${formatCounts(hostile.rejected)}`,
        ]
      : []),
    ...(idle.length > 0 ? [`no call of ${idle.join(', ')} got a response`] : []),
  ]
}

function latency({ baseline, with: withTenant }: Runs): string[] {
  const before = percentilesOf(baseline.steady.latencies).p99
  const after = percentilesOf(withTenant.steady.latencies).p99
  return [
    ...(before <= maxBaselineMs
      ? []
      : [`the p99 of the baseline is ${before.toFixed(0)} ms: the machine is too busy for a comparison`]),
    ...(isWithinTolerance(before, after)
      ? []
      : [`p99 rose from ${before.toFixed(0)} to ${after.toFixed(0)} ms`]),
  ]
}

function apiLatency({ baseline, with: withTenant }: Runs): string[] {
  return [...withTenant.api.latencies].flatMap(([call, times]) => {
    const before = percentilesOf(baseline.api.latencies.get(call) ?? []).p99
    const after = percentilesOf(times).p99
    return after <= Math.max(before * maxApiRatio, before + maxExtraApiMs)
      ? []
      : [`${call}: p99 rose from ${before.toFixed(0)} to ${after.toFixed(0)} ms`]
  })
}

function memory({ memory: processes }: RunResult): string[] {
  return processes.flatMap(({ name, rssMb }) => {
    const { before, after } = growth(rssMb)
    return isFlat(rssMb)
      ? []
      : [`${name}: memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB after warm-up`]
  })
}

const maxGrowth = 0.15
const maxGrowthMb = 32

/**
 * Returns whether memory is flat: the median of the last quarter exceeds that of the second by at most 15% or 32 MB.
 * The first quarter is warm-up, in which the heap grows to its size. Uses medians, because V8 collects late and single
 * samples vary. A leak raises the median: in a run of 10 minutes, about 0.1 MB per second is detected.
 */
export function isFlat(rssMb: readonly number[]): boolean {
  const { before, after } = growth(rssMb)
  return after <= Math.max(before * (1 + maxGrowth), before + maxGrowthMb)
}

function growth(rssMb: readonly number[]): { before: number; after: number } {
  const quarter = Math.floor(rssMb.length / 4)
  return {
    before: percentilesOf(rssMb.slice(quarter, 2 * quarter)).p50,
    after: percentilesOf(rssMb.slice(-quarter)).p50,
  }
}
