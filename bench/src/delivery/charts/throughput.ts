import type { ThroughputResult } from '../summary.ts'
import { barChart } from './bars.ts'
import { palette } from './svg.ts'

const [hookline = '', jobQueue = '', bare = ''] = [palette[0], palette[1], palette[2]]

export function throughputChart(results: readonly ThroughputResult[]): string {
  return barChart({
    title: 'Messages delivered per second',
    axis: 'messages per second: median of all runs; the line spans minimum and maximum',
    bars: results.map(({ name, label, median, slowest, fastest }) => ({
      label,
      segments: [{ value: median, color: colorOf(name) }],
      note: Math.round(median).toLocaleString('en'),
      spread: { from: slowest, to: fastest },
    })),
  })
}

function colorOf(name: string): string {
  if (name === 'bare') return bare
  return /^(postgres|nats)-/.test(name) ? hookline : jobQueue
}
