/**
 * Figures over time: what went well on one scale, what failed on its own below, so that it is never lost in the total.
 * Those who hear it get the same figures as a table. The drawing is loaded after the page and has its place kept.
 */
import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import { figure } from '../../words/count.ts'
import { type BucketStep, spanWords } from '../../words/clock.ts'
import type { Series } from './series.ts'
import styles from './over-time.module.css'

interface OverTimeProps<Row> {
  /** "The last 24 hours, by the hour" */
  range: string
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  step: BucketStep
  /** Drawn as areas. */
  flow: readonly Series[]
  /** Drawn as bars below. */
  failures: readonly Series[]
  /** What is said of a time without anything. */
  nothing: string
}

const Plot = lazy(() => import('./chart.tsx').then(({ Plot: component }) => ({ default: component })))

const flowHeight = 200
const failuresHeight = 96

export function OverTime<Row extends { start: string }>(props: OverTimeProps<Row>) {
  const { range, rows, step, flow, failures, nothing } = props
  const together = useId()
  const sum = (series: readonly Series[]) =>
    rows?.reduce((whole, row) => whole + series.reduce((part, { name }) => part + valueOf(row, name), 0), 0)
  const failed = sum(failures)
  const isEmpty = sum(flow) === 0 && failed === 0
  return (
    <figure className={styles.figure} aria-busy={rows === undefined}>
      <figcaption className={styles.caption}>
        <span>{range}</span>
        <Legend series={flow} />
      </figcaption>
      <div className={styles.plot} aria-hidden="true">
        <Suspense fallback={<Skeleton height={flowHeight} />}>
          {rows === undefined ? (
            <Skeleton height={flowHeight} />
          ) : (
            <Plot {...{ rows, step, together }} series={flow} height={flowHeight} shape="areas" />
          )}
          {isEmpty && <p className={styles.nothing}>{nothing}</p>}
        </Suspense>
      </div>
      <div className={styles.caption}>
        <span>{failed === 0 ? 'No failures in this time' : 'Failures, on their own scale'}</span>
        <Legend series={failures} />
      </div>
      <div className={styles.plot} aria-hidden="true">
        <Suspense fallback={<Skeleton height={failuresHeight} />}>
          {rows === undefined ? (
            <Skeleton height={failuresHeight} />
          ) : (
            <Plot {...{ rows, step, together }} series={failures} height={failuresHeight} shape="bars" />
          )}
        </Suspense>
      </div>
      <TableBehind rows={rows ?? []} series={[...flow, ...failures]} step={step} range={range} />
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

interface TableBehindProps {
  rows: readonly { start: string }[]
  series: readonly Series[]
  step: BucketStep
  range: string
}

function TableBehind({ rows, series, step, range }: TableBehindProps) {
  return (
    <div className={styles.heard}>
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
              <th scope="row">{spanWords(row.start, step)}</th>
              {series.map(({ name }) => (
                <td key={name}>{figure(valueOf(row, name))}</td>
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
