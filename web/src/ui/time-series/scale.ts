/** Scales of charts: round axis values, and the buckets that get a time label. */
import type { BucketStep } from '../../lib/format-clock.ts'

/** Minimum scale of the axis, for empty plots. */
const minTop = 4
const roundSteps = [1, 2, 2.5, 5, 10]

/** Returns round values from 0 to at least `max`, about `parts` steps apart. */
export function axisTicks(max: number, parts: number): number[] {
  const target = Math.max(max, minTop) / parts
  const power = 10 ** Math.floor(Math.log10(target))
  const isRound = (factor: number) => factor * power >= target && Number.isInteger(factor * power)
  const step = (roundSteps.find(isRound) ?? 10) * power
  const count = Math.ceil(Math.max(max, minTop) / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

const maxLabels = 7
const strides = [1, 2, 3, 4, 5, 6, 10, 12, 15, 24]

/** Returns the indexes of buckets with a label. Hourly buckets of several days are labeled at midnight. */
export function labelIndexes(rows: readonly { start: string }[], step: BucketStep): number[] {
  const indexes = rows.map((_, index) => index)
  if (step === 'hour' && rows.length > 48)
    return indexes.filter((index) => new Date(rows[index]?.start ?? '').getHours() === 0)
  const stride = strides.find((candidate) => rows.length / candidate <= maxLabels) ?? rows.length
  return indexes.filter((index) => index % stride === 0)
}
