/** Response times are read from a bounded number of attempts, also if none or all of them got a response. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readResponseTimes, receiverP95Ms } from '../../src/stats/response-times.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

const rows = 120_000

let hookline: TestService
let accountId: number
let hour: Date

beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  accountId = (await hookline.account()).accountId
  hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  await insertRefused(rows)
  await insertDelivered(rows)
  await insertFailed(rows)
})
afterAll(() => hookline.close())

/** Attempts without a response. */
async function insertRefused(count: number): Promise<void> {
  await hookline.database.query(
    `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, total_ms, worker)
     SELECT $1, uuid_v7($3::timestamptz + n * interval '1 millisecond'), 1, 1, 1, now(), 'connection_refused', 7, 'test'
     FROM generate_series(1, $2::integer) AS n`,
    [accountId, count, hour.toISOString()],
  )
}

async function insertDelivered(count: number): Promise<void> {
  await hookline.database.query(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, started_at, status, total_ms, worker)
     SELECT $1, uuid_v7($3::timestamptz + n * interval '1 millisecond'), 1, 1, 'delivered', 'delivered', 1, now(), 200, 7, 'test'
     FROM generate_series(1, $2::integer) AS n`,
    [accountId, count, hour.toISOString()],
  )
}

/** Deliveries without a successful attempt, and newer than those with one. */
async function insertFailed(count: number): Promise<void> {
  await hookline.database.query(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
     SELECT $1, uuid_v7($3::timestamptz + interval '30 minutes' + n * interval '1 millisecond'), 1, 1, 'failed', 'status', 1
     FROM generate_series(1, $2::integer) AS n`,
    [accountId, count, hour.toISOString()],
  )
}

async function countAllRead(): Promise<{ attempts: number; deliveries: number }> {
  const [row] = await hookline.database.query<{ attempts: number; deliveries: number }>(
    `SELECT sum(tuples) FILTER (WHERE relname ~ '^attempts')::integer AS attempts,
            sum(tuples) FILTER (WHERE relname ~ '^deliveries')::integer AS deliveries
     FROM (SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) AS tuples FROM pg_stat_user_tables) AS stats`,
  )
  return row ?? { attempts: 0, deliveries: 0 }
}

test.each([
  ['a range', () => receiverP95Ms(hookline.db, accountId, hour, Date.now() + 3_600_000)],
  ['a bucket', () => readResponseTimes(hookline.db, accountId, [hour], 'hour')],
])('%s with many attempts reads a bounded number of them', async (_label, read) => {
  const before = await countAllRead()
  await read()
  // PostgreSQL counts with a delay of seconds.
  await expect
    .poll(async () => (await countAllRead()).attempts, { timeout: 30_000, interval: 500 })
    .toBeGreaterThan(before.attempts)
  const after = await countAllRead()
  expect(after.attempts - before.attempts).toBeLessThanOrEqual(10_000)
  expect(after.deliveries - before.deliveries).toBeGreaterThan(0)
  expect(after.deliveries - before.deliveries).toBeLessThanOrEqual(10_000)
})

test('responses among attempts without one are found', async () => {
  for (const table of ['attempts', 'deliveries'])
    await hookline.database.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId])
  await insertRefused(1_000)
  await insertDelivered(100)
  expect(await readResponseTimes(hookline.db, accountId, [hour], 'hour')).toEqual([
    { p50Ms: 7, p95Ms: 7, p99Ms: 7 },
  ])
})
