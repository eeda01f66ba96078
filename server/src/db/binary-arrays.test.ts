import {
  array,
  assert,
  asyncProperty,
  bigInt,
  boolean,
  constantFrom,
  date,
  double,
  float,
  integer,
  oneof,
  option,
  string,
  uint8Array,
  uuid,
} from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  bigintArray,
  booleanArray,
  byteaArray,
  type EncodeArray,
  float8Array,
  integerArray,
  realArray,
  smallintArray,
  textArray,
  timestamptzArray,
  UnstorableValue,
  uuidArray,
  xid8Array,
} from './binary-arrays.ts'

let client: Client

beforeAll(async () => {
  client = new Client({ connectionString: inject('serverUrl') })
  await client.connect()
})
afterAll(() => client.end())

/** Returns the elements as PostgreSQL received them. It prints fewer digits of a real than JavaScript does. */
async function read(bytes: Buffer, type: string): Promise<unknown[]> {
  const printed = type === 'real' ? 'float8' : type
  const { rows } = await client.query<{ value: unknown }>(
    `SELECT unnest($1::${type}[])::${printed} AS value`,
    [bytes],
  )
  return rows.map((row) => row.value)
}

const storableText = string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
const finite = { noNaN: true, noDefaultInfinity: true }

test.each([
  ['boolean', booleanArray, boolean()],
  ['smallint', smallintArray, integer({ min: -32_768, max: 32_767 })],
  ['integer', integerArray, integer()],
  ['bigint', bigintArray, bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
  ['xid8', xid8Array, bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)],
  ['real', realArray, float(finite)],
  ['float8', float8Array, double(finite)],
  ['uuid', uuidArray, uuid()],
  ['text', textArray, oneof(storableText, constantFrom('NULL', '', '{}', '\\', '"', ' , '))],
  ['bytea', byteaArray, uint8Array().map((bytes) => Buffer.from(bytes))],
  [
    'timestamptz',
    timestamptzArray,
    date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  ],
] as const)('%s arrays arrive as they were sent, with their nulls', async (type, encode, values) => {
  await assert(
    asyncProperty(array(option<unknown>(values)), async (input) => {
      expect(await read(encodeAll(encode as EncodeArray<unknown>, input), type)).toEqual(
        input.map(withoutMinusZero),
      )
    }),
    { numRuns: 200 },
  )
})

function encodeAll<T>(encode: EncodeArray<T>, values: ReadonlyArray<T | null>): Buffer {
  return encode(values, (value) => value)
}

/** PostgreSQL keeps the sign of -0 only in some types. */
function withoutMinusZero(value: unknown): unknown {
  return value === 0 ? expect.closeTo(0) : value
}

test.each([
  ['2285-06-05T23:47:34.741Z', 'the last date whose microseconds are exact as a number'],
  ['2285-06-05T23:47:34.742Z', 'the next one'],
  ['1714-07-28T00:12:25.258Z', 'the same, before 2000'],
  ['1999-12-31T23:59:59.999Z', 'just before the epoch'],
  ['2000-01-01T00:00:00.000Z', 'the epoch'],
])('%s is exact: %s', async (text) => {
  expect(await read(encodeAll(timestamptzArray, [new Date(text)]), 'timestamptz')).toEqual([new Date(text)])
})

test.each([
  ['a fraction', () => encodeAll(integerArray, [1.5])],
  ['NaN', () => encodeAll(smallintArray, [Number.NaN])],
  ['an integer out of range', () => encodeAll(integerArray, [2 ** 31])],
  ['a smallint out of range', () => encodeAll(smallintArray, [32_768])],
  ['a bigint out of range', () => encodeAll(bigintArray, [String(2n ** 63n)])],
  ['a negative xid8', () => encodeAll(xid8Array, ['-1'])],
  ['an empty bigint', () => encodeAll(bigintArray, [''])],
  ['a hexadecimal bigint', () => encodeAll(bigintArray, ['0x10'])],
  ['an invalid date', () => encodeAll(timestamptzArray, [new Date(Number.NaN)])],
  ['a UUID with a wrong digit', () => encodeAll(uuidArray, ['01938d5e-7c00-7000-8000-00000000000g'])],
  ['a UUID without its dashes', () => encodeAll(uuidArray, ['01938d5e7c00700080000000000001aa'])],
  ['36 dashes', () => encodeAll(uuidArray, ['-'.repeat(36)])],
  ['36 digits', () => encodeAll(uuidArray, ['a'.repeat(36)])],
])('%s is rejected', (_, encode) => {
  expect(encode).toThrow(UnstorableValue)
})
