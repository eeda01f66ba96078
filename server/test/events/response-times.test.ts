/** Response times are read from a bounded number of attempts, also if none of them got a response. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readResponseTimes, receiverP95Ms } from '../../src/stats/response-times.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

const attempts = 120_000

let hookline: TestService
let accountId: number
let hour: Date

beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  accountId = (await hookline.account()).accountId
  hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  await insertAttempts(attempts, null)
})
afterAll(() => hookline.close())

async function insertAttempts(count: number, status: number | null): Promise<void> {
  await hookline.database.query(
    `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, total_ms, worker)
     SELECT $1, uuid_v7($4::timestamptz + n * interval '1 millisecond'), 1, 1, 1, now(), $5, $3, 7, 'test'
     FROM generate_series(1, $2::integer) AS n`,
    [accountId, count, status, hour.toISOString(), status === null ? 'connection_refused' : 'delivered'],
  )
}

async function countAllRead(): Promise<number> {
  const [row] = await hookline.database.query<{ rows: string }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS rows FROM pg_stat_user_tables WHERE relname ~ '^attempts'`,
  )
  return Number(row?.rows)
}

/** Returns how many attempts a call reads. PostgreSQL counts them with a delay of seconds. */
async function countAttemptsRead(read: () => Promise<unknown>): Promise<number> {
  const before = await countAllRead()
  await read()
  await expect.poll(countAllRead, { timeout: 30_000, interval: 500 }).toBeGreaterThan(before)
  return (await countAllRead()) - before
}

test.each([
  ['a range', () => receiverP95Ms(hookline.db, accountId, hour, Date.now() + 3_600_000)],
  ['a bucket', () => readResponseTimes(hookline.db, accountId, [hour], 'hour')],
])('%s with attempts without a response reads a bounded number of them', async (_label, read) => {
  expect(await countAttemptsRead(read)).toBeLessThanOrEqual(10_000)
})

test('responses among attempts without one are found', async () => {
  await hookline.database.query('DELETE FROM attempts WHERE account_id = $1', [accountId])
  await insertAttempts(1_000, null)
  await insertAttempts(100, 200)
  expect(await readResponseTimes(hookline.db, accountId, [hour], 'hour')).toEqual([
    { p50Ms: 7, p95Ms: 7, p99Ms: 7 },
  ])
})
