/** The quota on what waits of an account, counted in a real database. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBacklogQuota } from '../src/pipeline/intake/backlog.ts'
import { startWorld, type TestWorld } from './service.ts'

const quota = 2_000
/** A count is valid for 10 s, or 20 times as long as it took. */
const laterMs = 600_000

let world: TestWorld
beforeAll(async () => {
  world = await startWorld({}, 'api')
})
afterAll(() => world.close())

async function accountWith(events: number): Promise<number> {
  const { accountId } = await world.account()
  await addEvents(accountId, events)
  return accountId
}

async function addEvents(accountId: number, count: number): Promise<void> {
  await world.database.query(
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
])('with a quota of 2,000, an account with %i events waiting is over it: %s', async (events, isOver) => {
  const isOverQuota = createBacklogQuota(world.db, quota, () => 0)
  expect(await isOverQuota(await accountWith(events))).toBe(isOver)
})

test('events that a process accepts count at once, without asking the database again', async () => {
  const isOverQuota = createBacklogQuota(world.db, quota, () => 0)
  const accountId = await accountWith(1_990)
  const verdicts: boolean[] = []
  for (let event = 0; event < 12; event++) {
    verdicts.push(await isOverQuota(accountId))
    await addEvents(accountId, 1)
  }
  expect(verdicts).toEqual([...Array(10).fill(false), true, true])
})

test('no event waits while a large account is counted again, and the new verdict counts afterwards', async () => {
  let now = 0
  const isOverQuota = createBacklogQuota(world.db, quota, () => now)
  const large = await accountWith(1_500)
  expect(await isOverQuota(large)).toBe(false)
  await addEvents(large, 600)
  now = laterMs
  await world.database.query('BEGIN')
  await world.database.query('LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE')
  expect(await isOverQuota(large)).toBe(false)
  await world.database.query('COMMIT')
  await expect.poll(() => isOverQuota(large)).toBe(true)
})

test('an account is accepted again when its events have been delivered', async () => {
  let now = 0
  const isOverQuota = createBacklogQuota(world.db, quota, () => now)
  const accountId = await accountWith(2_500)
  expect(await isOverQuota(accountId)).toBe(true)
  await world.database.query('DELETE FROM inbox WHERE account_id = $1', [accountId])
  expect(await isOverQuota(accountId)).toBe(true)
  now = laterMs
  await expect.poll(() => isOverQuota(accountId)).toBe(false)
})
