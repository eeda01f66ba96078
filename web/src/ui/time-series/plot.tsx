/**
 * One plot of a chart. The drawing is stretched over its box, and all texts are HTML beside it: the value axis is as wide
 * as its longest label, and time labels shift inward at both ends, so no text is cut off at any width.
 */
import { formatTick, type BucketStep } from '../../lib/format-clock.ts'
import { formatDuration, formatShort } from '../../lib/format-duration.ts'
import { axisTicks, labelIndexes } from './scale.ts'
import { type PlotSpec, type Series, valueOf } from './series.ts'
import styles from './plot.module.css'

type Rows = readonly { start: string }[]

interface PlotProps {
  spec: PlotSpec
  rows: Rows
  step: BucketStep
  /** Index of the bucket with the cursor. */
  active: number | undefined
}

/** Height of one step of the value axis. */
const stepPx = 50

export function Plot({ spec: { shape, series, height, unit = 'count' }, rows, step, active }: PlotProps) {
  const ticks = axisTicks(maxOf(rows, series, shape), Math.round(height / stepPx))
  const top = ticks.at(-1) ?? 1
  const format = unit === 'ms' ? formatDuration : formatShort
  const left = (index: number) => `${((index + 0.5) / rows.length) * 100}%`
  return (
    <div className={styles.plot} aria-hidden="true">
      <div className={styles.values} style={{ height }}>
        {ticks.toReversed().map((tick) => (
          <span key={tick} data-label>
            {tick === 0 ? '0' : format(tick)}
          </span>
        ))}
      </div>
      <div className={styles.drawing} style={{ height }} data-drawing>
        {ticks.map((tick) => (
          <span key={tick} className={styles.grid} style={{ bottom: `${(tick / top) * 100}%` }} />
        ))}
        {active !== undefined && (
          <span
            className={styles.cursor}
            style={{ left: `${(active / rows.length) * 100}%`, width: `${100 / rows.length}%` }}
          />
        )}
        <svg viewBox={`0 0 ${rows.length} 1`} preserveAspectRatio="none">
          {shape === 'areas' || shape === 'lines'
            ? series.map((one) => (
                <Line key={one.name} series={one} rows={rows} top={top} isFilled={shape === 'areas'} />
              ))
            : rows.map((row, index) => (
                <Bars key={row.start} {...{ row, index, series, top, isStacked: shape === 'stack' }} />
              ))}
        </svg>
      </div>
      <div className={styles.times}>
        {labelIndexes(rows, step).map((index, position) => (
          <span
            key={index}
            data-label
            data-minor={position % 2 === 1}
            style={{ left: left(index), translate: `-${left(index)}` }}
          >
            {formatTick(rows[index]?.start ?? '', step)}
          </span>
        ))}
      </div>
    </div>
  )
}

function maxOf(rows: Rows, series: readonly Series[], shape: PlotSpec['shape']): number {
  const values = (row: object) => series.map(({ name }) => valueOf(row, name) ?? 0)
  const highest = (row: object) =>
    shape === 'stack' ? values(row).reduce((sum, value) => sum + value, 0) : Math.max(...values(row))
  return rows.reduce((max, row) => Math.max(max, highest(row)), 0)
}

interface LineProps {
  series: Series
  rows: Rows
  top: number
  isFilled: boolean
}

/** Buckets without a value interrupt the line. A single value is a dot: an empty path with a round cap. */
function Line({ series: { name, color }, rows, top, isFilled }: LineProps) {
  const runs: string[][] = [[]]
  for (const [index, row] of rows.entries()) {
    const value = valueOf(row, name)
    if (value === undefined) runs.push([])
    else runs.at(-1)?.push(`${index + 0.5} ${1 - value / top}`)
  }
  const lines = runs.filter((points) => points.length > 0)
  const path = lines.map((points) => `M${points.join('L')}`).join('')
  const dots = lines.map((points) => (points.length === 1 ? `M${points[0]}h0` : '')).join('')
  return (
    <>
      {isFilled && <path d={lines.map(areaOf).join('')} fill={color} opacity={0.1} />}
      <path className={styles.line} d={path} stroke={color} />
      <path className={styles.dot} d={dots} stroke={color} />
    </>
  )
}

function areaOf(points: readonly string[]): string {
  return `M${xOf(points[0])} 1L${points.join('L')}L${xOf(points.at(-1))} 1Z`
}

function xOf(point: string | undefined): string {
  return point?.split(' ')[0] ?? '0'
}

interface BarsProps {
  row: { start: string }
  index: number
  series: readonly Series[]
  top: number
  isStacked: boolean
}

/** Part of a bucket's width that its bars take. */
const barsWidth = 0.64

function Bars({ row, index, series, top, isStacked }: BarsProps) {
  const width = isStacked ? barsWidth : barsWidth / series.length
  const first = index + (1 - barsWidth) / 2
  const heights = series.map(({ name }) => (valueOf(row, name) ?? 0) / top)
  return heights.map((height, position) => {
    if (height === 0) return null
    const below = isStacked ? heights.slice(0, position).reduce((sum, value) => sum + value, 0) : 0
    const x = isStacked ? first : first + position * width
    return (
      <rect
        key={series[position]?.name}
        fill={series[position]?.color}
        {...{ x, y: 1 - below - height, width, height }}
      />
    )
  })
}
