import { array, assert, asyncProperty, constantFrom, oneof, option, string } from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { plainArray, textArray, wordArray } from './arrays.ts'

let client: Client

beforeAll(async () => {
  client = new Client({ connectionString: inject('serverUrl') })
  await client.connect()
})
afterAll(() => client.end())

/** Parses the array literal with PostgreSQL and returns its elements. */
async function read(literal: string, type: string): Promise<unknown[]> {
  const { rows } = await client.query<{ value: unknown }>(`SELECT unnest($1::${type}[]) AS value`, [literal])
  return rows.map((row) => row.value)
}

const noNul = string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())

test('textArray round-trips any text and keeps nulls at their index', async () => {
  const texts = array(option(oneof(noNul, constantFrom('NULL', '', '{}', '\\', '"', '\\"', ' , '))))
  await assert(
    asyncProperty(texts, async (input) => {
      expect(await read(textArray(input), 'text')).toEqual(input)
    }),
    { numRuns: 300 },
  )
})

test('plainArray round-trips numbers, booleans and timestamps', async () => {
  expect(await read(plainArray([1, -2, null, 2_147_483_647]), 'integer')).toEqual([
    1,
    -2,
    null,
    2_147_483_647,
  ])
  expect(await read(plainArray([0.5, 1e-7, 1e21]), 'float8')).toEqual([0.5, 1e-7, 1e21])
  expect(await read(plainArray([true, false, undefined]), 'boolean')).toEqual([true, false, null])
  const at = new Date('2026-11-15T09:30:00.123Z')
  expect(await read(plainArray([at, null]), 'timestamptz')).toEqual([at, null])
})

test('wordArray round-trips words and rejects any other text', async () => {
  const values = ['delivered', '01938d5e-7c00-7000-8000-000000000001', '', null, '00ff']
  expect(await read(wordArray(values), 'text')).toEqual(values)
  for (const other of ['a b', 'a,b', '{', '"', '\\', 'ü'])
    expect(() => wordArray([other])).toThrow('not a word')
})
