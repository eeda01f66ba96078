import type { ThroughputResult } from '../summary.ts'
import { barChart } from './bars.ts'
import { palette } from './svg.ts'

const [own = '', rival = '', bare = ''] = [palette[0], palette[1], palette[2]]

export function throughputChart(results: readonly ThroughputResult[]): string {
  return barChart({
    title: 'Messages delivered in a second',
    axis: 'messages a second: median of all turns; the line spans the slowest and the fastest',
    bars: results.map(({ name, label, median, slowest, fastest }) => ({
      label,
      segments: [{ value: median, colour: colourOf(name) }],
      note: Math.round(median).toLocaleString('en'),
      spread: { from: slowest, to: fastest },
    })),
  })
}

function colourOf(name: string): string {
  if (name === 'bare') return bare
  return /^(postgres|jetstream)-/.test(name) ? own : rival
}
