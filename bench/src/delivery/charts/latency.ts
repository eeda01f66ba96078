/** Draws latency percentiles by rate on a logarithmic scale: one line style per percentile, one color per system. */
import type { LatencyResult } from '../ramp.ts'
import { type LatencyRun, maxP99Ms } from '../latency.ts'
import { chart, dot, ink, line, palette, text, ticks } from './svg.ts'

const percentiles = [
  { name: 'p50', dashes: '2 4', of: (run: LatencyRun): number => run.p50Ms },
  { name: 'p99', dashes: '', of: (run: LatencyRun): number => run.p99Ms },
  { name: 'p99.9', dashes: '8 4', of: (run: LatencyRun): number => run.p999Ms },
]

const area = { left: 85, right: 770, top: 100, bottom: 420 }
const height = 475

export function latencyChart(results: readonly LatencyResult[]): string {
  const runs = results.flatMap(({ rates }) => rates)
  const steps = ticks(Math.max(...runs.map(({ eventsPerSecond }) => eventsPerSecond)))
  const worstMs = Math.max(...runs.flatMap((run) => percentiles.map(({ of }) => of(run))))
  const decades = Math.max(2, Math.ceil(Math.log10(worstMs)))
  const x = (rate: number): number => area.left + (rate / (steps.at(-1) ?? 1)) * (area.right - area.left)
  const y = (ms: number): number =>
    area.bottom - (Math.log10(Math.max(1, ms)) / decades) * (area.bottom - area.top)

  const grid = [
    ...steps.flatMap((rate) => [
      line(
        [
          [x(rate), area.top],
          [x(rate), area.bottom],
        ],
        ink,
        { thickness: 0.4 },
      ),
      text(x(rate), area.bottom + 18, rate.toLocaleString('en'), { size: 12, anchor: 'middle' }),
    ]),
    ...Array.from({ length: decades + 1 }, (_, decade) => 10 ** decade).flatMap((ms) => [
      line(
        [
          [area.left, y(ms)],
          [area.right, y(ms)],
        ],
        ink,
        { thickness: 0.4 },
      ),
      text(area.left - 8, y(ms) + 4, `${ms.toLocaleString('en')} ms`, { size: 12, anchor: 'end' }),
    ]),
  ]
  const limit = [
    line(
      [
        [area.left, y(maxP99Ms)],
        [area.right, y(maxP99Ms)],
      ],
      ink,
      { thickness: 1.5, dashes: '1 3' },
    ),
    text(area.left + 6, y(maxP99Ms) - 5, `p99 limit: ${maxP99Ms} ms`, { size: 12 }),
  ]
  const lines = results.flatMap(({ rates }, index) => systemLines(rates, palette[index] ?? ink, x, y))
  const caption = text((area.left + area.right) / 2, area.bottom + 42, 'events per second', {
    anchor: 'middle',
  })
  return chart('Latency from acceptance to arrival', height, [
    ...legend(results),
    ...grid,
    ...limit,
    ...lines,
    caption,
  ])
}

function systemLines(
  runs: readonly LatencyRun[],
  color: string,
  x: (rate: number) => number,
  y: (ms: number) => number,
): string[] {
  return percentiles.flatMap(({ dashes, of }) => {
    const points = runs.map((run) => [x(run.eventsPerSecond), y(of(run))] as const)
    return [
      line(points, color, { thickness: 2, dashes }),
      ...points.map(([left, top]) => dot(left, top, color)),
    ]
  })
}

function legend(results: readonly LatencyResult[]): string[] {
  const systems = results.flatMap(({ label }, index) => {
    const [left, top] = [20 + (index % 2) * 245, 44 + Math.floor(index / 2) * 20]
    return [dot(left, top - 4, palette[index] ?? ink), text(left + 10, top, label)]
  })
  const styles = percentiles.flatMap(({ name, dashes }, index) => {
    const left = 515 + index * 90
    return [
      line(
        [
          [left, 40],
          [left + 28, 40],
        ],
        ink,
        { thickness: 2, dashes },
      ),
      text(left + 34, 44, name),
    ]
  })
  return [...systems, ...styles]
}
