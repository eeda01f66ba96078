/** Judges a run with the hostile tenant by the same run without it. Pure. */
import { isNear, spreadOf } from '../isolation/figures.ts'
import type { Kind } from '../isolation/turn.ts'
import type { TurnResult } from './turn.ts'

export type Turns = Record<Kind, TurnResult>

interface Expected {
  hooks: number
  activities: readonly string[]
  /** A short run shows that nothing breaks; latency and memory of a few seconds say nothing. */
  isSmoke: boolean
}

/** Above this the machine was busy with something else, and a hostile tenant would not stand out. */
const maxBaselineMs = 500
/** Requests of the API share a process with everything that the tenant calls, so their bound is wider. */
const maxMoreApiMs = 100
const maxTimesApi = 1.5

/** Returns what was broken; empty: it held. */
export function judgeHostile(turns: Turns, expected: Expected): string[] {
  const { baseline, with: withTenant } = turns
  return [
    ...integrity('baseline', baseline),
    ...integrity('with', withTenant),
    ...participation(withTenant, expected),
    ...(expected.isSmoke ? [] : [...latency(turns), ...apiLatency(turns), ...memory(withTenant)]),
  ]
}

function integrity(kind: Kind, { steady, api, ended, complaints }: TurnResult): string[] {
  const { missing, repeats, refused, offered } = steady
  return [
    ...ended.map((end) => `${kind}: ${end}`),
    ...(missing > 0 ? [`${kind}: ${missing} healthy events did not arrive`] : []),
    ...(repeats > 0 ? [`${kind}: healthy receivers got ${repeats} requests more than once`] : []),
    ...(refused > 0 || offered === 0
      ? [`${kind}: ${refused} of ${offered} healthy events were not accepted`]
      : []),
    ...(api.failures > 0 ? [`${kind}: ${api.failures} API calls of healthy accounts failed`] : []),
    ...(complaints.errors > 0 ? [`${kind}: the service logged ${complaints.errors} errors of its own`] : []),
  ]
}

/** A tenant that did nothing hurts nobody: each of its activities must have been answered. */
function participation({ hostile }: TurnResult, { hooks, activities }: Expected): string[] {
  if (hostile === undefined) return ['the hostile tenant was not there']
  const idle = activities.filter(
    (name) => !Object.keys(hostile.results[name] ?? {}).some((result) => /^\d{3}$|^cut$/.test(result)),
  )
  return [
    ...(hostile.registered < hooks
      ? [`the hostile tenant has ${hostile.registered} of ${hooks} webhooks`]
      : []),
    ...(idle.length > 0 ? [`no call of ${idle.join(', ')} was answered`] : []),
  ]
}

function latency({ baseline, with: withTenant }: Turns): string[] {
  const before = spreadOf(baseline.steady.latencies).p99
  const after = spreadOf(withTenant.steady.latencies).p99
  return [
    ...(before <= maxBaselineMs
      ? []
      : [`the baseline's p99 is ${before.toFixed(0)} ms: the machine is too busy to compare anything`]),
    ...(isNear(before, after) ? [] : [`p99 rose from ${before.toFixed(0)} to ${after.toFixed(0)} ms`]),
  ]
}

function apiLatency({ baseline, with: withTenant }: Turns): string[] {
  return [...withTenant.api.latencies].flatMap(([call, times]) => {
    const before = spreadOf(baseline.api.latencies.get(call) ?? []).p99
    const after = spreadOf(times).p99
    return after <= Math.max(before * maxTimesApi, before + maxMoreApiMs)
      ? []
      : [`${call}: p99 rose from ${before.toFixed(0)} to ${after.toFixed(0)} ms`]
  })
}

function memory({ memory: processes }: TurnResult): string[] {
  return processes.flatMap(({ name, rssMb }) => {
    const { before, after } = growth(rssMb)
    return isFlat(rssMb)
      ? []
      : [`${name}: memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB after its warm-up`]
  })
}

const maxGrowth = 0.15
const maxGrowthMb = 32

/**
 * Flat: the median of the last quarter of a run is not above that of the second by more than 15 % or 32 MB. The first
 * quarter is warm-up, in which the heap takes its size. Medians, because V8 collects late and single samples jump; a leak
 * grows all the time and so lifts the median, at 10 minutes from some 0.1 MB a second on.
 */
export function isFlat(rssMb: readonly number[]): boolean {
  const { before, after } = growth(rssMb)
  return after <= Math.max(before * (1 + maxGrowth), before + maxGrowthMb)
}

function growth(rssMb: readonly number[]): { before: number; after: number } {
  const quarter = Math.floor(rssMb.length / 4)
  return {
    before: spreadOf(rssMb.slice(quarter, 2 * quarter)).p50,
    after: spreadOf(rssMb.slice(-quarter)).p50,
  }
}
