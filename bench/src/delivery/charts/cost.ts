import type { ThroughputResult } from '../summary.ts'
import { barChart } from './bars.ts'
import { ink, palette } from './svg.ts'

export function costChart(results: readonly ThroughputResult[]): string {
  const groups = [...new Set(results.flatMap(({ coreMicros }) => Object.keys(coreMicros)))]
  const colourOf = (group: string): string => palette[groups.indexOf(group)] ?? ink
  return barChart({
    title: 'Processor time for one delivery',
    axis: 'core-microseconds for each message, without the receiver and whoever hands in',
    legend: groups.map((group) => ({ label: group, colour: colourOf(group) })),
    bars: results.map(({ label, coreMicros, totalMicros }) => ({
      label,
      segments: Object.entries(coreMicros).map(([group, value]) => ({ value, colour: colourOf(group) })),
      note: `${Math.round(totalMicros)} µs`,
    })),
  })
}
