/**
 * A list as a table on wide screens and as cards on phones. While it loads, a skeleton of the final size stands there;
 * with nothing in it, what the page wants to say then; when it could not be loaded, why.
 * The roles are written out because the card layout takes away those that a table has by itself.
 */
import { Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'
import { ErrorState } from './error-state.tsx'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** `actions` has no visible title and stays in the card's corner. */
  kind?: 'main' | 'actions'
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
  /** With more columns than usual: cards already where others still have room. */
  isWide?: boolean
}

/** Where a table has no room any more and becomes cards. */
const cardsBelow = { usual: '(max-width: 56em)', wide: '(max-width: 78em)' }

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, error, retry, empty, skeletonRows = 3, isWide = false } = props
  const isCards = useMediaQuery(isWide ? cardsBelow.wide : cardsBelow.usual, false, {
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
    >
      <thead role="rowgroup" className={styles.head}>
        <tr role="row">
          {columns.map(({ title, kind }) => (
            <th key={title} role="columnheader" scope="col">
              <span className={kind === 'actions' ? styles.heard : undefined}>{title}</span>
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
                    <Skeleton height={12} width={kind === 'actions' ? 24 : '70%'} my={6} />
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
