import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  bigint,
  boolean,
  float8,
  integer,
  real,
  smallint,
  text,
  timestampText,
  timestamptz,
  unnestNumberedRows,
  unnestRows,
  uuid,
  xid8,
} from './rows.ts'

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

let client: Client

beforeAll(async () => {
  client = new Client({ connectionString: inject('serverUrl') })
  await client.connect()
})
afterAll(() => client.end())

async function select(table: ReturnType<typeof unnestRows>): Promise<unknown[]> {
  const query = sql`SELECT * FROM ${table}`.compile(compiler)
  return (await client.query(query.sql, [...query.parameters])).rows
}

test('every column type keeps its values and its nulls', async () => {
  const at = new Date('2026-11-16T09:30:00.123Z')
  const id = '01938d5e-7c00-7000-8000-000000000001'
  const rows = [
    {
      number: 1,
      share: 0.5,
      isSet: true,
      at,
      big: '9007199254740993',
      id,
      name: 'sms_mo',
      free: 'a "b" \\ {c}, NULL',
    },
    { number: null, share: null, isSet: null, at: null, big: null, id: null, name: null, free: null },
  ]
  const table = unnestRows('input', rows, {
    small: smallint(({ number }) => number),
    whole: integer(({ number }) => number),
    single: real(({ share }) => share),
    double: float8(({ share }) => share),
    is_set: boolean(({ isSet }) => isSet),
    at: timestamptz(({ at: time }) => time),
    printed: timestampText(({ at: time }) => time?.toISOString()),
    big: bigint(({ big }) => big),
    xid: xid8(({ big }) => big),
    id: uuid(({ id: value }) => value),
    name: text(({ name }) => name),
    free: text(({ free }) => free),
  })
  const [first] = rows
  expect(await select(table)).toEqual([
    {
      small: 1,
      whole: 1,
      single: 0.5,
      double: 0.5,
      is_set: true,
      at,
      printed: at,
      big: first?.big,
      xid: first?.big,
      id,
      name: 'sms_mo',
      free: first?.free,
    },
    {
      small: null,
      whole: null,
      single: null,
      double: null,
      is_set: null,
      at: null,
      printed: null,
      big: null,
      xid: null,
      id: null,
      name: null,
      free: null,
    },
  ])
})

test('numbered rows have their position, from 1', async () => {
  const table = unnestNumberedRows('input', ['a', 'b'], { letter: text((letter) => letter) })
  expect(await select(table)).toEqual([
    { letter: 'a', ordinal: '1' },
    { letter: 'b', ordinal: '2' },
  ])
})

test('no rows are an empty table', async () => {
  expect(await select(unnestRows('input', [], { id: integer(() => 1) }))).toEqual([])
})
