/** Tests how leases of hand-offs and of lost workers are released, with real statements. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { findHandOffs, releaseHandOffs } from '../../src/delivery/queue/hand-offs.ts'
import { newHandOffLease, newLease } from '../../src/delivery/queue/lease.ts'
import {
  heartbeat,
  releaseOrphanedLeases,
  releaseSilentWorker,
} from '../../src/delivery/queue/live-workers.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Database
let worker: string

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 2, () => {})
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  await database.query('TRUNCATE work, lane, suspects, workers')
  worker = randomUUID()
})

/** Inserts deliveries that were leased some seconds ago. */
async function insertLeased(leases: readonly string[], ageSeconds: number): Promise<void> {
  await database.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, lease, lease_until)
     SELECT 1, n, uuid_v7(now()), 'sms_mo', now(), now(), lease, now() + make_interval(secs => 30 - $2::float8)
     FROM unnest($1::uuid[]) WITH ORDINALITY AS given (lease, n)`,
    [leases, ageSeconds],
  )
}

async function countLeased(): Promise<number> {
  return (await database.query('SELECT FROM work WHERE lease IS NOT NULL')).length
}

function handOffLeases(of: string, count: number): string[] {
  return Array.from({ length: count }, () => newHandOffLease(systemClock, of).id)
}

test('a worker finds its hand-offs of a while ago, and not those of others, new ones or its claims', async () => {
  const [old = '', other = '', young = ''] = [worker, randomUUID(), worker].flatMap((of) =>
    handOffLeases(of, 1),
  )
  await insertLeased([old, other, newLease(systemClock, worker).id], 2)
  await insertLeased([young], 1)
  expect((await findHandOffs(db, worker, 1_500)).map(({ lease }) => lease)).toEqual([old])
  expect((await findHandOffs(db, worker, 0)).map(({ lease }) => lease).toSorted()).toEqual(
    [old, young].toSorted(),
  )
})

test('a released hand-off keeps the earlier time of its lane, and leaves its breaker alone', async () => {
  await database.query(
    `INSERT INTO lane (account_id, hook_id, due_at, open_seconds, is_probing, not_before)
     VALUES (1, 1, now() - interval '1 hour', 40, true, now() + interval '40 seconds')`,
  )
  const before = await database.query('SELECT * FROM lane')
  await insertLeased(handOffLeases(worker, 1), 2)
  await releaseHandOffs(db, await findHandOffs(db, worker, 0), 500)
  expect(await database.query('SELECT * FROM lane')).toEqual(before)
  const [row] = await database.query<{ lease: null; waits_ms: number }>(
    'SELECT lease, extract(epoch FROM due_at - now())::float8 * 1000 AS waits_ms FROM work',
  )
  expect(row?.lease).toBeNull()
  expect(row?.waits_ms).toBeGreaterThan(200)
  expect(row?.waits_ms).toBeLessThanOrEqual(500)
})

test('a hand-off that another worker has leased meanwhile is not released', async () => {
  await insertLeased(handOffLeases(worker, 1), 2)
  const found = await findHandOffs(db, worker, 0)
  await database.query('UPDATE work SET lease = gen_random_uuid()')
  await releaseHandOffs(db, found, 0)
  expect(await countLeased()).toBe(1)
  expect(await database.query('SELECT FROM lane')).toEqual([])
})

test('leases of a worker that has left are released, and no others', async () => {
  await heartbeat(db, worker, 0)
  const gone = randomUUID()
  await insertLeased([...handOffLeases(worker, 5), ...handOffLeases(gone, 5)], 4)
  // Too young: the worker may have started a moment ago.
  await insertLeased(handOffLeases(randomUUID(), 1), 1)
  expect(await releaseOrphanedLeases(db)).toBe(5)
  expect(await countLeased()).toBe(6)
  expect(await releaseOrphanedLeases(db)).toBe(0)
})

test('random leases, as earlier versions take them, are never taken for those of a worker that has left', async () => {
  await insertLeased(
    Array.from({ length: 200 }, () => randomUUID()),
    4,
  )
  expect(await releaseOrphanedLeases(db)).toBe(0)
})

test('a silent worker loses all its leases at once, unless it has sent a heartbeat since', async () => {
  const observer = randomUUID()
  await heartbeat(db, worker, 0)
  await insertLeased(
    [...handOffLeases(worker, 3), newLease(systemClock, worker).id, ...handOffLeases(observer, 2)],
    1,
  )
  const [seen] = await heartbeat(db, observer, 0)
  if (seen === undefined) throw new Error('the worker was not seen')
  await heartbeat(db, worker, 0)
  expect(await releaseSilentWorker(db, seen)).toBe(0)
  const [seenAgain] = await heartbeat(db, observer, 0)
  expect(await releaseSilentWorker(db, seenAgain ?? seen)).toBe(4)
  expect(await countLeased()).toBe(2)
  expect(await heartbeat(db, observer, 0)).toEqual([])
})
