/** Passes rows to a statement: `unnest` of one array per column, so that the text does not depend on their number. */
import { type RawBuilder, sql } from 'kysely'
import { textArray as textLiteral } from './arrays.ts'
import {
  bigintArray,
  booleanArray,
  byteaArray,
  float8Array,
  integerArray,
  realArray,
  smallintArray,
  textArray,
  timestamptzArray,
  uuidArray,
  xid8Array,
} from './binary-arrays.ts'

/** A column of `unnestRows`: its SQL type and how its values are encoded. */
interface Column<Row> {
  type: string
  encode: (rows: readonly Row[]) => Buffer | string
}

type Read<Row, Value> = (row: Row, index: number) => Value | null | undefined

function column<Value>(type: string, encode: (values: Array<Value | null | undefined>) => Buffer | string) {
  return <Row>(read: Read<Row, Value>): Column<Row> => ({ type, encode: (rows) => encode(rows.map(read)) })
}

export const smallint = column('smallint', smallintArray)
export const integer = column('integer', integerArray)
export const real = column('real', realArray)
export const float8 = column('float8', float8Array)
export const boolean = column('boolean', booleanArray)
export const timestamptz = column('timestamptz', timestamptzArray)
/** Times as PostgreSQL printed them, with microseconds. */
export const timestampText = column('timestamptz', textLiteral)
/** Large integers, which JavaScript keeps as text. */
export const bigint = column('bigint', bigintArray)
export const xid8 = column('xid8', xid8Array)
export const uuid = column('uuid', uuidArray)
export const text = column('text', textArray)
export const bytea = column('bytea', byteaArray)
/** Places of rows, as PostgreSQL printed them. */
export const tid = column('tid', textLiteral)

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
  return sql.join(Object.values(columns).map(({ type, encode }) => sql`${encode(rows)}::${sql.raw(type)}[]`))
}
