/**
 * Stats over time. Failures have a separate chart and scale, so that they stay visible next to large totals. Screen readers
 * get the data as a table. The chart is lazy-loaded with reserved space.
 */
import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import { formatNumber } from '../../lib/format-number.ts'
import { type BucketStep, formatSpan } from '../../lib/format-clock.ts'
import type { Series } from './series.ts'
import styles from './time-series.module.css'

interface TimeSeriesProps<Row> {
  /** "Last 24 hours, hourly" */
  range: string
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  step: BucketStep
  /** Drawn as areas. */
  volume: readonly Series[]
  /** Drawn as bars below. */
  failures: readonly Series[]
  /** Shown if the period has no data. */
  emptyText: string
}

const Plot = lazy(() => import('./plot.tsx').then(({ Plot: component }) => ({ default: component })))

const volumeHeight = 200
const failuresHeight = 96

export function TimeSeries<Row extends { start: string }>(props: TimeSeriesProps<Row>) {
  const { range, rows, step, volume, failures, emptyText } = props
  const syncId = useId()
  const sum = (series: readonly Series[]) =>
    rows?.reduce((whole, row) => whole + series.reduce((part, { name }) => part + valueOf(row, name), 0), 0)
  const failed = sum(failures)
  const isEmpty = sum(volume) === 0 && failed === 0
  return (
    <figure className={styles.chart} aria-busy={rows === undefined}>
      <figcaption className={styles.caption}>
        <span>{range}</span>
        <Legend series={volume} />
      </figcaption>
      <div className={styles.plot} aria-hidden="true">
        <Suspense fallback={<Skeleton height={volumeHeight} />}>
          {rows === undefined ? (
            <Skeleton height={volumeHeight} />
          ) : (
            <Plot {...{ rows, step, syncId }} series={volume} height={volumeHeight} shape="areas" />
          )}
          {isEmpty && <p className={styles.empty}>{emptyText}</p>}
        </Suspense>
      </div>
      <div className={styles.caption}>
        <span>{failed === 0 ? 'No failures in this period' : 'Failures (separate scale)'}</span>
        <Legend series={failures} />
      </div>
      <div className={styles.plot} aria-hidden="true">
        <Suspense fallback={<Skeleton height={failuresHeight} />}>
          {rows === undefined ? (
            <Skeleton height={failuresHeight} />
          ) : (
            <Plot {...{ rows, step, syncId }} series={failures} height={failuresHeight} shape="bars" />
          )}
        </Suspense>
      </div>
      <AccessibleTable rows={rows ?? []} series={[...volume, ...failures]} step={step} range={range} />
    </figure>
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
  series: readonly Series[]
  step: BucketStep
  range: string
}

function AccessibleTable({ rows, series, step, range }: DataTableProps) {
  return (
    <div className={styles.visuallyHidden}>
      <table>
        <caption>{range}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name, title }) => (
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
              {series.map(({ name }) => (
                <td key={name}>{formatNumber(valueOf(row, name))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function valueOf(row: object, name: string): number {
  const value = (row as Record<string, unknown>)[name]
  return typeof value === 'number' ? value : 0
}
