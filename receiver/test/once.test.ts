/** Handles events once, with the stores for memory, real PostgreSQL and Redis servers, and SQLite. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type IdStore, memoryStore, once, redisStore, sqlStore } from '../src/index.ts'
import { type Databases, startDatabases } from './support/databases.ts'

let databases: Databases

beforeAll(async () => {
  databases = await startDatabases(
    'CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)',
  )
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

test.each(Object.entries(stores))(
  '%s: of twenty concurrent attempts one runs, and the others do not succeed before it has',
  async (_, create) => {
    const store = create()
    const { promise, resolve: finish } = Promise.withResolvers<void>()
    const first = once('c', store, () => promise)
    await expect.poll(() => store.start('c')).toBe('running')
    const others = await Promise.allSettled(Array.from({ length: 19 }, () => once('c', store, fail)))
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 'rejected'))
    for (const other of others)
      expect(other).toMatchObject({ reason: { name: 'EventInProgress', status: 409, statusCode: 409 } })
    finish()
    expect(await first).toBe(true)
    expect(await once('c', store, fail)).toBe(false)
  },
)

test.each(Object.entries(stores))(
  '%s: a handler that fails while others wait is run again',
  async (_, create) => {
    const store = create()
    const { promise, reject } = Promise.withResolvers<void>()
    const first = once('d', store, () => promise)
    await expect.poll(() => store.start('d')).toBe('running')
    await expect(once('d', store, fail)).rejects.toThrow('Another attempt')
    reject(new Error('failed'))
    await expect(first).rejects.toThrow('failed')
    let runs = 0
    expect(await once('d', store, () => void runs++)).toBe(true)
    expect(runs).toBe(1)
  },
)

test.each(['PostgreSQL', 'SQLite'])('%s: a claim of a killed process ends after 15 minutes', async (name) => {
  const store = stores[name]?.() ?? memoryStore()
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
  try {
    expect(await store.start('killed')).toBe('started')
    vi.advanceTimersByTime(15 * 60_000)
    expect(await store.start('killed')).toBe('running')
    vi.advanceTimersByTime(1_000)
    expect(await store.start('killed')).toBe('started')
    expect(await store.start('killed')).toBe('running')
  } finally {
    vi.useRealTimers()
  }
})

test('ids in Redis expire: after 15 minutes without a result, and after days with one', async () => {
  const store = redisStore(databases.redis, { days: 2 })
  await store.start('e')
  const remaining = async () => Number(await databases.redis(['TTL', 'webhook:e']))
  expect(await remaining()).toBeGreaterThan(14 * 60)
  expect(await remaining()).toBeLessThanOrEqual(15 * 60)
  await store.finish('e')
  expect(await remaining()).toBeGreaterThan(47 * 3_600)
})

test('the memory store keeps a limited number of ids', async () => {
  const store = memoryStore(2)
  for (const id of ['a', 'b', 'c']) await store.start(id)
  expect(await store.start('c')).toBe('running')
  expect(await store.start('a')).toBe('started')
})

test('the name of a table is not a way to other statements', () => {
  expect(() => sqlStore(async () => 0, 'ids; DROP TABLE x')).toThrow('not the name of a table')
})
