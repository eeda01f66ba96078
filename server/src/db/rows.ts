/** Passes rows to a statement: `unnest` of one array per column, so that the text does not depend on their number. */
import { type RawBuilder, sql } from 'kysely'
import { byteaArray, plainArray, textArray, wordArray } from './arrays.ts'

/** A column of `unnestRows`: its SQL type and how its values are formatted. */
interface Column<Row> {
  type: string
  format: (rows: readonly Row[]) => string
}

type Read<Row, Value> = (row: Row, index: number) => Value | null | undefined

function column<Value>(type: string, format: (values: Array<Value | null | undefined>) => string) {
  return <Row>(read: Read<Row, Value>): Column<Row> => ({ type, format: (rows) => format(rows.map(read)) })
}

export const smallint = column<number>('smallint', plainArray)
export const integer = column<number>('integer', plainArray)
export const real = column<number>('real', plainArray)
export const float8 = column<number>('float8', plainArray)
export const boolean = column<boolean>('boolean', plainArray)
export const timestamptz = column<Date>('timestamptz', plainArray)
/** Times as PostgreSQL printed them, with microseconds. */
export const timestampText = column<string>('timestamptz', textArray)
/** Large integers, which JavaScript keeps as text. */
export const bigint = column<string>('bigint', wordArray)
export const xid8 = column<string>('xid8', wordArray)
export const uuid = column<string>('uuid', wordArray)
/** Text of letters, digits, dashes and underscores. */
export const word = column<string>('text', wordArray)
export const text = column<string>('text', textArray)
export const bytea = column<Buffer>('bytea', byteaArray)

/** Returns the rows as a table expression: `unnest(…) AS name (columns)`. */
export function unnestRows<Row>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, Column<Row>>>,
): RawBuilder<unknown> {
  return sql`unnest(${arraysOf(rows, columns)}) AS ${sql.raw(`${name} (${Object.keys(columns).join(', ')})`)}`
}

/** As `unnestRows`, with the last column `ordinal`: the position of the row, from 1. */
export function unnestNumberedRows<Row>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, Column<Row>>>,
): RawBuilder<unknown> {
  const names = [...Object.keys(columns), 'ordinal'].join(', ')
  return sql`unnest(${arraysOf(rows, columns)}) WITH ORDINALITY AS ${sql.raw(`${name} (${names})`)}`
}

function arraysOf<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, Column<Row>>>,
): RawBuilder<unknown> {
  return sql.join(Object.values(columns).map(({ type, format }) => sql`${format(rows)}::${sql.raw(type)}[]`))
}
