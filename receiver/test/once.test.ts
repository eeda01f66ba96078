/** Handles events once, with the stores for memory, a real PostgreSQL and a real Redis. */
import { type ChildProcess, spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/support/database.ts'
import { type IdStore, memoryStore, once, redisStore, sqlStore } from '../src/index.ts'

let database: TestDatabase
let pool: Pool
let redisServer: ChildProcess
let redis: Redis

beforeAll(async () => {
  database = await createTestDatabase()
  pool = new Pool({ connectionString: database.url.href })
  await pool.query(
    'CREATE TABLE webhook_ids (id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now())',
  )
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  redisServer = spawn('redis-server', args, { stdio: 'ignore' })
  // Reconnects until the server listens.
  redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null })
  await redis.ping()
})
afterAll(async () => {
  redis.disconnect()
  redisServer.kill()
  await pool.end()
  await database.drop()
})

const stores: Record<string, () => IdStore> = {
  memory: () => memoryStore(),
  PostgreSQL: () =>
    sqlStore(async (statement, parameters) => (await pool.query(statement, [...parameters])).rowCount ?? 0),
  Redis: () => redisStore(([command = '', ...args]) => redis.call(command, ...args)),
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
  await redisStore(([command = '', ...args]) => redis.call(command, ...args), { days: 2 }).add('d')
  expect(await redis.ttl('webhook:d')).toBeGreaterThan(47 * 3_600)
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
