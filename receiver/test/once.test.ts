/** Handles events once, with the stores for memory, real PostgreSQL and Redis servers, and SQLite. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdStore, memoryStore, once, redisStore, sqlStore } from '../src/index.ts'
import { type Databases, startDatabases } from './support/databases.ts'

let databases: Databases

beforeAll(async () => {
  databases = await startDatabases('CREATE TABLE webhook_ids (id text PRIMARY KEY)')
})
afterAll(async () => databases.close())

const stores: Record<string, () => IdStore> = {
  memory: () => memoryStore(),
  PostgreSQL: () => sqlStore(databases.postgres),
  SQLite: () => sqlStore(databases.sqlite),
  Redis: () => redisStore(databases.redis),
}

function fail(): never {
  throw new Error('failed')
}

test.each(Object.entries(stores))('%s: a handler runs once, and again after it failed', async (_, create) => {
  const store = create()
  const runs: string[] = []
  const handle = (name: string) => () => void runs.push(name)
  expect(await once('a', store, handle('a'))).toBe(true)
  expect(await once('a', store, handle('again'))).toBe(false)
  await expect(once('b', store, fail)).rejects.toThrow('failed')
  expect(await once('b', store, handle('b'))).toBe(true)
  expect(runs).toEqual(['a', 'b'])
})

test.each(Object.entries(stores))('%s: of twenty concurrent attempts one runs', async (_, create) => {
  const store = create()
  let runs = 0
  const attempts = Array.from({ length: 20 }, () => once('c', store, () => void runs++))
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
  expect(runs).toBe(1)
})

test('ids in Redis expire', async () => {
  await redisStore(databases.redis, { days: 2 }).add('d')
  expect(await databases.redis(['TTL', 'webhook:d'])).toBeGreaterThan(47 * 3_600)
})

test('the memory store keeps a limited number of ids', async () => {
  const store = memoryStore(2)
  for (const id of ['a', 'b', 'c']) await store.add(id)
  expect(await store.add('c')).toBe(false)
  expect(await store.add('a')).toBe(true)
})

test('the name of a table is not a way to other statements', () => {
  expect(() => sqlStore(async () => 0, 'ids; DROP TABLE x')).toThrow('not the name of a table')
})
