/** Formats durations, percentages and short counts. */
import { formatNumber } from './format-number.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** "212 ms", "1.4 s", "3 min 20 s", "5 h 12 min", "2 d 3 h". */
export function formatDuration(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < secondMs) return `${Math.round(ms)} ms`
  if (ms < 10 * secondMs) return `${(ms / secondMs).toFixed(1)} s`
  if (ms < minuteMs) return `${Math.round(ms / secondMs)} s`
  if (ms < hourMs) return twoUnits(ms, minuteMs, 'min', secondMs, 's')
  if (ms < dayMs) return twoUnits(ms, hourMs, 'h', minuteMs, 'min')
  return twoUnits(ms, dayMs, 'd', hourMs, 'h')
}

function twoUnits(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const whole = Math.floor(ms / large)
  const rest = Math.floor((ms % large) / small)
  return rest === 0 ? `${whole} ${largeUnit}` : `${whole} ${largeUnit} ${rest} ${smallUnit}`
}

/** One decimal. Never "100%" if anything failed, never "0%" if anything succeeded. */
export function formatPercent(ratio: number): string {
  const percent = ratio * 100
  if (ratio < 1 && percent > 99.9) return '99.9%'
  if (ratio > 0 && percent < 0.1) return '0.1%'
  return `${Number(percent.toFixed(1))}%`
}

/** Axis label: "12k", "3M". */
export function formatShort(count: number): string {
  if (count < 10_000) return formatNumber(count)
  return count < 1_000_000 ? `${roundShort(count / 1_000)}k` : `${roundShort(count / 1_000_000)}M`
}

function roundShort(value: number): string {
  return value < 100 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}
