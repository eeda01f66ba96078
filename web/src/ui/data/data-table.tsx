/**
 * List as a table, or as cards on phones. Shows a skeleton while loading, an empty state or an error. Roles are explicit
 * because the CSS of the card layout removes the implicit table roles.
 */
import { Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'
import { ErrorState } from '../feedback/error-state.tsx'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** `actions` has no visible title and stays in the corner of a card. `aside` is beside `main` on a dense card. */
  kind?: 'main' | 'actions' | 'aside'
  /** Makes the title a button that sorts the rows. */
  sort?: { direction: 'ascending' | 'descending' | undefined; toggle: () => void } | undefined
}

interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string | number
  error?: unknown
  retry?: () => void
  empty: ReactNode
  skeletonRows?: number
  /** For tables with many columns: switches to cards at a larger width. */
  isWide?: boolean
  /** One line per row, and on phones two lines without labels. */
  isDense?: boolean
}

/** Widths below which a table becomes cards. */
const cardsBelow = { default: '(max-width: 56em)', wide: '(max-width: 78em)' }

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    keyOf,
    error,
    retry,
    empty,
    skeletonRows = 3,
    isWide = false,
    isDense,
  } = props
  const isCards = useMediaQuery(isWide ? cardsBelow.wide : cardsBelow.default, false, {
    getInitialValueInEffect: false,
  })
  if (rows === undefined && error !== null && error !== undefined)
    return <ErrorState error={error} {...(retry && { retry })} />
  if (rows?.length === 0) return empty
  return (
    <table
      className={isCards ? styles.cards : styles.table}
      role="table"
      aria-label={label}
      aria-busy={rows === undefined}
      data-dense={isDense}
    >
      <thead role="rowgroup" className={styles.head}>
        <tr role="row">
          {columns.map(({ title, kind, sort }) => (
            <th key={title} role="columnheader" scope="col" aria-sort={sort?.direction}>
              {sort === undefined ? (
                <span className={kind === 'actions' ? styles.visuallyHidden : undefined}>{title}</span>
              ) : (
                <button className={styles.sort} type="button" onClick={sort.toggle}>
                  {title}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows === undefined
          ? Array.from({ length: skeletonRows }, (_, index) => (
              <tr key={index} role="row" className={styles.row}>
                {columns.map(({ title, kind }) => (
                  <td key={title} role="cell" data-kind={kind}>
                    <Skeleton
                      height={12}
                      width={kind === 'actions' ? 24 : '70%'}
                      my={isDense === true ? 4 : 6}
                    />
                  </td>
                ))}
              </tr>
            ))
          : rows.map((row) => (
              <tr key={keyOf(row)} role="row" className={styles.row}>
                {columns.map(({ title, cell, kind }) => (
                  <td key={title} role="cell" data-kind={kind} data-title={title}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </table>
  )
}
