/** Summarizes the runs of a system: medians, minimum and maximum. */
import type { System } from './systems/system.ts'
import type { ThroughputRun } from './throughput.ts'

export interface ThroughputResult {
  name: string
  label: string
  runs: number
  /** Messages per second. */
  median: number
  slowest: number
  fastest: number
  /** Ratio to the median of the bare loop. Absent if the bare loop was not run. */
  ratioToBare?: number
  /** Medians per message. */
  coreMicros: Record<string, number>
  totalMicros: number
  receiverMicros: number
  walBytes: number
  storedBytes: number
}

export function summarize(
  { name, label }: System,
  runs: readonly ThroughputRun[],
  bareRuns: readonly ThroughputRun[] | undefined,
): ThroughputResult {
  const rates = runs.map(({ perSecond }) => perSecond)
  const groups = Object.keys(runs[0]?.coreMicros ?? {})
  const medianOf = (value: (run: ThroughputRun) => number): number => median(runs.map(value))
  return {
    name,
    label,
    runs: runs.length,
    median: median(rates),
    slowest: Math.min(...rates),
    fastest: Math.max(...rates),
    ...(bareRuns !== undefined && {
      ratioToBare: median(rates) / median(bareRuns.map(({ perSecond }) => perSecond)),
    }),
    coreMicros: Object.fromEntries(
      groups.map((group) => [group, medianOf(({ coreMicros }) => coreMicros[group] ?? 0)]),
    ),
    totalMicros: medianOf(({ coreMicros }) =>
      Object.values(coreMicros).reduce((sum, micros) => sum + micros, 0),
    ),
    receiverMicros: medianOf(({ receiverMicros }) => receiverMicros),
    walBytes: medianOf(({ walBytes }) => walBytes),
    storedBytes: medianOf(({ storedBytes }) => storedBytes),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
