/** Tests the quota on pending events of an account with a real database. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBacklogQuota } from '../../src/delivery/intake/backlog-quota.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

const quota = 2_000
/** A count is valid for 10 s, or 20 times as long as it took. */
const laterMs = 600_000

let hookline: TestService
beforeAll(async () => {
  hookline = await startTestService({}, 'api')
})
afterAll(() => hookline.close())

async function accountWith(events: number): Promise<number> {
  const { accountId } = await hookline.account()
  await addEvents(accountId, events)
  return accountId
}

async function addEvents(accountId: number, count: number): Promise<void> {
  await hookline.database.query(
    'INSERT INTO inbox (event_id, account_id) SELECT gen_random_uuid(), $1 FROM generate_series(1, $2::integer)',
    [accountId, count],
  )
}

test.each([
  [0, false],
  [999, false],
  [1_000, false],
  [1_999, false],
  [2_000, true],
  [5_000, true],
])('with a quota of 2,000, an account with %i pending events is over quota: %s', async (events, expected) => {
  const isOverQuota = createBacklogQuota(hookline.db, quota, () => 0)
  expect(await isOverQuota(await accountWith(events))).toBe(expected)
})

test('events accepted by the process count immediately, without another query', async () => {
  const isOverQuota = createBacklogQuota(hookline.db, quota, () => 0)
  const accountId = await accountWith(1_990)
  const results: boolean[] = []
  for (let event = 0; event < 12; event++) {
    results.push(await isOverQuota(accountId))
    await addEvents(accountId, 1)
  }
  expect(results).toEqual([...Array(10).fill(false), true, true])
})

test('events do not wait while a large account is recounted, and the new count applies afterwards', async () => {
  let now = 0
  const isOverQuota = createBacklogQuota(hookline.db, quota, () => now)
  const large = await accountWith(1_500)
  expect(await isOverQuota(large)).toBe(false)
  await addEvents(large, 600)
  now = laterMs
  await hookline.database.query('BEGIN')
  await hookline.database.query('LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE')
  expect(await isOverQuota(large)).toBe(false)
  await hookline.database.query('COMMIT')
  await expect.poll(() => isOverQuota(large)).toBe(true)
})

test('an account is accepted again once its events are delivered', async () => {
  let now = 0
  const isOverQuota = createBacklogQuota(hookline.db, quota, () => now)
  const accountId = await accountWith(2_500)
  expect(await isOverQuota(accountId)).toBe(true)
  await hookline.database.query('DELETE FROM inbox WHERE account_id = $1', [accountId])
  expect(await isOverQuota(accountId)).toBe(true)
  now = laterMs
  await expect.poll(() => isOverQuota(accountId)).toBe(false)
})
