/** Many turns in one line: medians, and how far the turns lie apart. */
import type { Contestant } from './contestants/contestant.ts'
import type { ThroughputTurn } from './throughput.ts'

export interface ThroughputResult {
  name: string
  label: string
  turns: number
  /** Messages a second. */
  median: number
  slowest: number
  fastest: number
  /** Of the bare loop's median; absent without one. */
  shareOfBare?: number
  /** Medians for each message. */
  coreMicros: Record<string, number>
  totalMicros: number
  receiverMicros: number
  walBytes: number
  storedBytes: number
}

export function summarise(
  { name, label }: Contestant,
  turns: readonly ThroughputTurn[],
  bareTurns: readonly ThroughputTurn[] | undefined,
): ThroughputResult {
  const rates = turns.map(({ perSecond }) => perSecond)
  const groups = Object.keys(turns[0]?.coreMicros ?? {})
  const medianOf = (value: (turn: ThroughputTurn) => number): number => median(turns.map(value))
  return {
    name,
    label,
    turns: turns.length,
    median: median(rates),
    slowest: Math.min(...rates),
    fastest: Math.max(...rates),
    ...(bareTurns !== undefined && {
      shareOfBare: median(rates) / median(bareTurns.map(({ perSecond }) => perSecond)),
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
