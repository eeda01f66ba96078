/** Compares the turns with the troublemaker to those without. Pure. */
import { isNear, type Spread, spreadOf } from './figures.ts'
import type { Kind, TurnResult } from './turn.ts'

export interface Comparison {
  baseline: Spread
  with: Spread
  /** Of the p99s. */
  ratio: number
  /** Events in a second of the bursts of each kind; undefined: there were none. */
  throughput?: { baseline: number; with: number; ratio: number }
  /** Empty: it held. */
  broken: string[]
}

const leastThroughput = 0.9
/** Of what was offered; less, and the load that was to be measured was not there. */
const leastAccepted = 0.9

/** A baseline above this says that the machine was busy with something else: beside it nothing would stand out. */
const mostBaselineMs = 500

export function compare(turns: Record<Kind, TurnResult[]>): Comparison {
  const baseline = spreadOf(turns.baseline.flatMap(({ latencies }) => latencies))
  const withIt = spreadOf(turns.with.flatMap(({ latencies }) => latencies))
  const throughput = throughputOf(turns)
  const broken: string[] = []
  if (!(baseline.p99 <= mostBaselineMs))
    broken.push(
      `the baseline's p99 is ${baseline.p99.toFixed(0)} ms: the machine is too busy to compare anything`,
    )
  if (!isNear(baseline.p99, withIt.p99))
    broken.push(`p99 rose from ${baseline.p99.toFixed(0)} to ${withIt.p99.toFixed(0)} ms`)
  for (const kind of ['baseline', 'with'] as const) broken.push(...shortfalls(kind, turns[kind]))
  if (throughput !== undefined && !(throughput.ratio >= leastThroughput))
    broken.push(`a burst passes at ${throughput.ratio.toFixed(2)} of the baseline's rate`)
  if (turns.with.some(({ trouble }) => trouble !== undefined && trouble.requests + trouble.mostHanging === 0))
    broken.push('the troublemaker was never called, so nothing was measured')
  return {
    baseline,
    with: withIt,
    ratio: withIt.p99 / baseline.p99,
    ...(throughput && { throughput }),
    broken,
  }
}

function shortfalls(kind: Kind, turns: readonly TurnResult[]): string[] {
  const sum = (of: (turn: TurnResult) => number): number => turns.reduce((all, turn) => all + of(turn), 0)
  const missing = sum((turn) => turn.missing)
  const offered = sum((turn) => turn.offered)
  const accepted = offered - sum((turn) => turn.refused)
  const errors = sum((turn) => turn.complaints.errors)
  return [
    ...(errors > 0 ? [`${kind}: the service logged ${errors} errors of its own`] : []),
    ...(missing > 0 ? [`${kind}: ${missing} healthy events did not arrive in time`] : []),
    ...(accepted >= offered * leastAccepted && accepted > 0
      ? []
      : [`${kind}: of ${offered} healthy events only ${accepted} were accepted`]),
  ]
}

/** The median of all bursts of a kind. */
function throughputOf(turns: Record<Kind, TurnResult[]>): Comparison['throughput'] {
  const [baseline = Number.NaN, withIt = Number.NaN] = (['baseline', 'with'] as const).map(
    (kind) => spreadOf(turns[kind].flatMap(({ bursts }) => bursts)).p50,
  )
  return Number.isNaN(baseline) ? undefined : { baseline, with: withIt, ratio: withIt / baseline }
}
