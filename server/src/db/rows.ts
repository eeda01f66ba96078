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
import { inputParameter } from './statement.ts'

/** A column of `unnestRows`: its SQL type and how its values are encoded. */
interface Column<Row> {
  type: string
  encode: (rows: readonly Row[]) => Buffer | string
}

type Value<T> = T | null | undefined
type Encode<T> = <Row>(rows: readonly Row[], read: (row: Row, index: number) => Value<T>) => Buffer | string

function column<T>(type: string, encode: Encode<T>) {
  return <Row>(read: (row: Row, index: number) => Value<T>): Column<Row> => ({
    type,
    encode: (rows) => encode(rows, read),
  })
}

/** Encodes an array as a literal. */
const literal: Encode<string> = (rows, read) => textLiteral(rows.map(read))

export const smallint = column('smallint', smallintArray)
export const integer = column('integer', integerArray)
export const real = column('real', realArray)
export const float8 = column('float8', float8Array)
export const boolean = column('boolean', booleanArray)
export const timestamptz = column('timestamptz', timestamptzArray)
/** Times as PostgreSQL printed them, with microseconds. */
export const timestampText = column('timestamptz', literal)
/** Large integers, which JavaScript keeps as text. */
export const bigint = column('bigint', bigintArray)
export const xid8 = column('xid8', xid8Array)
export const uuid = column('uuid', uuidArray)
export const text = column('text', textArray)
export const bytea = column('bytea', byteaArray)
/** Places of rows, as PostgreSQL printed them. */
export const tid = column('tid', literal)

/** Rows, or where they are in the input of a statement. */
type Rows<Row, Input> = readonly Row[] | ((input: Input) => readonly Row[])

/** Returns the rows as a table expression: `unnest(…) AS name (columns)`. */
export function unnestRows<Row, Input = never>(
  name: string,
  rows: Rows<Row, Input>,
  columns: Readonly<Record<string, Column<Row>>>,
): RawBuilder<unknown> {
  return sql`unnest(${arraysOf(rows, columns)}) AS ${sql.raw(`${name} (${Object.keys(columns).join(', ')})`)}`
}

/** As `unnestRows`, with the last column `ordinal`: the position of the row, from 1. */
export function unnestNumberedRows<Row, Input = never>(
  name: string,
  rows: Rows<Row, Input>,
  columns: Readonly<Record<string, Column<Row>>>,
): RawBuilder<unknown> {
  const names = [...Object.keys(columns), 'ordinal'].join(', ')
  return sql`unnest(${arraysOf(rows, columns)}) WITH ORDINALITY AS ${sql.raw(`${name} (${names})`)}`
}

function arraysOf<Row, Input>(
  rows: Rows<Row, Input>,
  columns: Readonly<Record<string, Column<Row>>>,
): RawBuilder<unknown> {
  const arrays = Object.values(columns).map(({ type, encode }) => {
    const array =
      typeof rows === 'function' ? inputParameter((input: Input) => encode(rows(input))) : encode(rows)
    return sql`${array}::${sql.raw(type)}[]`
  })
  return sql.join(arrays)
}
