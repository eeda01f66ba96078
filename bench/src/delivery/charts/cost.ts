import type { ThroughputResult } from '../summary.ts'
import { barChart } from './bars.ts'
import { ink, palette } from './svg.ts'

export function costChart(results: readonly ThroughputResult[]): string {
  const groups = [...new Set(results.flatMap(({ coreMicros }) => Object.keys(coreMicros)))]
  const colorOf = (group: string): string => palette[groups.indexOf(group)] ?? ink
  return barChart({
    title: 'CPU time per delivery',
    axis: 'core-microseconds per message, without the receiver and the load generator',
    legend: groups.map((group) => ({ label: group, color: colorOf(group) })),
    bars: results.map(({ label, coreMicros, totalMicros }) => ({
      label,
      segments: Object.entries(coreMicros).map(([group, value]) => ({ value, color: colorOf(group) })),
      note: `${Math.round(totalMicros)} µs`,
    })),
  })
}
