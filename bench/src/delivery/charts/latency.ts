/** Percentiles over the rate, on a logarithmic scale: a line a percentile, a colour a contestant. */
import type { LatencyResult } from '../climb.ts'
import { type LatencyTurn, worstP99Ms } from '../latency.ts'
import { chart, dot, ink, line, palette, text, ticks } from './svg.ts'

const percentiles = [
  { name: 'p50', dashes: '2 4', of: (turn: LatencyTurn): number => turn.p50Ms },
  { name: 'p99', dashes: '', of: (turn: LatencyTurn): number => turn.p99Ms },
  { name: 'p99.9', dashes: '8 4', of: (turn: LatencyTurn): number => turn.p999Ms },
]

const area = { left: 85, right: 770, top: 100, bottom: 420 }
const height = 475

export function latencyChart(results: readonly LatencyResult[]): string {
  const turns = results.flatMap(({ rates }) => rates)
  const steps = ticks(Math.max(...turns.map(({ eventsPerSecond }) => eventsPerSecond)))
  const worstMs = Math.max(...turns.flatMap((turn) => percentiles.map(({ of }) => of(turn))))
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
        [area.left, y(worstP99Ms)],
        [area.right, y(worstP99Ms)],
      ],
      ink,
      { thickness: 1.5, dashes: '1 3' },
    ),
    text(area.left + 6, y(worstP99Ms) - 5, `most that p99 may be: ${worstP99Ms} ms`, { size: 12 }),
  ]
  const lines = results.flatMap(({ rates }, place) => contestantLines(rates, palette[place] ?? ink, x, y))
  const caption = text((area.left + area.right) / 2, area.bottom + 42, 'events handed in each second', {
    anchor: 'middle',
  })
  return chart('From acceptance to arrival', height, [
    ...legend(results),
    ...grid,
    ...limit,
    ...lines,
    caption,
  ])
}

function contestantLines(
  turns: readonly LatencyTurn[],
  colour: string,
  x: (rate: number) => number,
  y: (ms: number) => number,
): string[] {
  return percentiles.flatMap(({ dashes, of }) => {
    const points = turns.map((turn) => [x(turn.eventsPerSecond), y(of(turn))] as const)
    return [
      line(points, colour, { thickness: 2, dashes }),
      ...points.map(([left, top]) => dot(left, top, colour)),
    ]
  })
}

function legend(results: readonly LatencyResult[]): string[] {
  const contestants = results.flatMap(({ label }, place) => {
    const [left, top] = [20 + (place % 2) * 245, 44 + Math.floor(place / 2) * 20]
    return [dot(left, top - 4, palette[place] ?? ink), text(left + 10, top, label)]
  })
  const styles = percentiles.flatMap(({ name, dashes }, place) => {
    const left = 515 + place * 90
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
  return [...contestants, ...styles]
}
