/** Draws horizontal bars, one per system, on an axis that starts at 0. */
import { bar, chart, ink, line, text, ticks, width } from './svg.ts'

interface Bar {
  label: string
  segments: ReadonlyArray<{ value: number; color: string }>
  /** Label after the bar. */
  note: string
  /** Minimum and maximum. */
  spread?: { from: number; to: number }
}

interface BarChart {
  title: string
  axis: string
  bars: readonly Bar[]
  legend?: ReadonlyArray<{ label: string; color: string }>
}

const left = 245
const right = 90
const rowHeight = 30
const barHeight = 18

export function barChart({ title, axis, bars, legend = [] }: BarChart): string {
  const top = legend.length > 0 ? 66 : 44
  const bottom = top + bars.length * rowHeight
  const totals = bars.map(({ segments, spread }) => Math.max(spread?.to ?? 0, total(segments)))
  const steps = ticks(Math.max(...totals))
  const scale = (value: number): number => left + (value / (steps.at(-1) ?? 1)) * (width - left - right)

  const grid = steps.flatMap((step) => [
    line(
      [
        [scale(step), top],
        [scale(step), bottom],
      ],
      ink,
      { thickness: 0.4 },
    ),
    text(scale(step), bottom + 18, step.toLocaleString('en'), { size: 12, anchor: 'middle' }),
  ])
  const rows = bars.flatMap((each, index) => row(each, top + index * rowHeight, scale))
  const names = legend.flatMap(({ label, color }, index) => [
    bar(left + index * 105, 40, 12, 12, color),
    text(left + index * 105 + 17, 51, label),
  ])
  const caption = text((left + width - right) / 2, bottom + 40, axis, { anchor: 'middle' })
  return chart(title, bottom + 52, [...names, ...grid, ...rows, caption])
}

function row({ label, segments, note, spread }: Bar, y: number, scale: (value: number) => number): string[] {
  const middle = y + rowHeight / 2
  let sum = 0
  const parts = segments.map(({ value, color }) => {
    const from = scale(sum)
    sum += value
    return bar(from, middle - barHeight / 2, scale(sum) - from, barHeight, color)
  })
  const whisker =
    spread === undefined
      ? []
      : [
          line(
            [
              [scale(spread.from), middle],
              [scale(spread.to), middle],
            ],
            ink,
            { thickness: 2 },
          ),
        ]
  const end = scale(Math.max(sum, spread?.to ?? 0))
  return [
    text(left - 8, middle + 4, label, { anchor: 'end' }),
    ...parts,
    ...whisker,
    text(end + 6, middle + 4, note),
  ]
}

function total(segments: Bar['segments']): number {
  return segments.reduce((sum, { value }) => sum + value, 0)
}
