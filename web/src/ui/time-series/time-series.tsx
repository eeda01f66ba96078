/**
 * Stats over time: plots that share a time axis. Failures have their own plot and scale, so that they stay visible next to
 * large totals. The pointer or the arrow keys show the exact values of a bucket. Screen readers get them as a table.
 */
import { Skeleton } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { formatNumber } from '../../lib/format-number.ts'
import { type BucketStep, formatSpan } from '../../lib/format-clock.ts'
import { formatDuration } from '../../lib/format-duration.ts'
import { Plot } from './plot.tsx'
import { type PlotSpec, type Series, valueOf } from './series.ts'
import styles from './time-series.module.css'

interface TimeSeriesProps<Row> {
  /** "Last 24 hours, hourly" */
  range: string
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  step: BucketStep
  plots: readonly PlotSpec[]
  /** Shown if the period has no data. */
  emptyText: string
}

/** The bucket with the cursor. Its values appear above or below the plot. */
interface Cursor {
  plot: number
  index: number
  isBelow: boolean
}

/** Space above a plot that its values need. */
const tooltipPx = 140

export function TimeSeries<Row extends { start: string }>(props: TimeSeriesProps<Row>) {
  const { range, rows, step, plots, emptyText } = props
  const [cursor, setCursor] = useState<Cursor>()
  const isEmpty = rows?.every((row) =>
    plots.every(({ series }) => series.every(({ name }) => (valueOf(row, name) ?? 0) === 0)),
  )
  return (
    <figure className={styles.chart} aria-busy={rows === undefined}>
      <figcaption className={styles.range}>{range}</figcaption>
      {plots.map((spec, plot) => (
        <div key={spec.title}>
          <div className={styles.caption}>
            <span>{spec.title}</span>
            <Legend series={spec.series} />
          </div>
          {rows === undefined ? (
            <Skeleton height={spec.height + 36} />
          ) : (
            <div
              className={styles.plot}
              // Reachable by keyboard like a slider over the buckets.
              {...(plot === 0 && sliderProps({ rows, step, plots, range, cursor, setCursor }))}
              onPointerMove={(event) => setCursor({ plot, ...positionOf(event, rows.length) })}
              onPointerLeave={() => setCursor(undefined)}
            >
              <Plot {...{ spec, rows, step }} active={cursor?.index} />
              {plot === 0 && isEmpty === true && <p className={styles.empty}>{emptyText}</p>}
              {cursor?.plot === plot && (
                <Tooltip row={rows[cursor.index]} {...{ cursor, step, plots }} count={rows.length} />
              )}
            </div>
          )}
        </div>
      ))}
      <AccessibleTable rows={rows ?? []} plots={plots} step={step} range={range} />
    </figure>
  )
}

function positionOf(event: PointerEvent<HTMLElement>, count: number): Omit<Cursor, 'plot'> {
  const drawing = event.currentTarget.querySelector('[data-drawing]') ?? event.currentTarget
  const { left, width, top } = drawing.getBoundingClientRect()
  const index = Math.floor(((event.clientX - left) / width) * count)
  return { index: Math.min(Math.max(index, 0), count - 1), isBelow: top < tooltipPx }
}

interface SliderInput {
  rows: readonly { start: string }[]
  step: BucketStep
  plots: readonly PlotSpec[]
  range: string
  cursor: Cursor | undefined
  setCursor: (cursor: Cursor | undefined) => void
}

function sliderProps({ rows, step, plots, range, cursor, setCursor }: SliderInput) {
  const last = rows.length - 1
  const index = cursor?.index ?? last
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: last,
  }
  const row = rows[index]
  return {
    tabIndex: 0,
    role: 'slider',
    'aria-label': `${plots[0]?.title ?? ''}: ${range}`,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': index,
    'aria-valuetext': row === undefined ? '' : describeRow(row, step, plots),
    onKeyDown(event: KeyboardEvent) {
      const target = targets[event.key]
      if (event.key === 'Escape') setCursor(undefined)
      if (target === undefined) return
      event.preventDefault()
      setCursor({ plot: 0, index: Math.min(Math.max(target, 0), last), isBelow: false })
    },
    onBlur: () => setCursor(undefined),
  }
}

function describeRow(row: { start: string }, step: BucketStep, plots: readonly PlotSpec[]): string {
  const values = plots.flatMap(({ series, unit }) =>
    series.map(({ name, title }) => `${title} ${formatValue(valueOf(row, name), unit)}`),
  )
  return `${formatSpan(row.start, step)}: ${values.join(', ')}`
}

function formatValue(value: number | undefined, unit: PlotSpec['unit']): string {
  if (unit === 'ms') return value === undefined ? '–' : formatDuration(value)
  return formatNumber(value ?? 0)
}

interface TooltipProps {
  row: { start: string } | undefined
  cursor: Cursor
  step: BucketStep
  plots: readonly PlotSpec[]
  /** Number of buckets. */
  count: number
}

/** Shifts by its own share of the width, so it stays within the plot at both ends. */
function Tooltip({ row, cursor: { index, isBelow }, step, plots, count }: TooltipProps) {
  if (row === undefined) return null
  const left = `${((index + 0.5) / count) * 100}%`
  return (
    <div
      className={styles.tooltip}
      data-below={isBelow}
      data-tooltip
      style={{ left, translate: `-${left}` }}
      aria-hidden="true"
    >
      <p className={styles.span}>{formatSpan(row.start, step)}</p>
      <ul className={styles.values}>
        {plots.flatMap(({ series, unit }) =>
          series.map(({ name, title, color }) => (
            <li key={name}>
              <span className={styles.swatch} style={{ backgroundColor: color }} />
              {title}
              <span className={styles.value}>{formatValue(valueOf(row, name), unit)}</span>
            </li>
          )),
        )}
      </ul>
    </div>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className={styles.legend} aria-hidden="true">
      {series.map(({ name, title, color }) => (
        <li key={name}>
          <span className={styles.swatch} style={{ backgroundColor: color }} />
          {title}
        </li>
      ))}
    </ul>
  )
}

interface DataTableProps {
  rows: readonly { start: string }[]
  plots: readonly PlotSpec[]
  step: BucketStep
  range: string
}

function AccessibleTable({ rows, plots, step, range }: DataTableProps) {
  const columns = plots.flatMap(({ series, unit }) => series.map((one) => ({ ...one, unit })))
  return (
    <div className={styles.visuallyHidden}>
      <table>
        <caption>{range}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map(({ name, title }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.start}>
              <th scope="row">{formatSpan(row.start, step)}</th>
              {columns.map(({ name, unit }) => (
                <td key={name}>{formatValue(valueOf(row, name), unit)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
