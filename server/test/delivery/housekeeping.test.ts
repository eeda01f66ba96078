/**
 * Tests that old data is pruned. A worker does so right after it starts, so that a worker with a short lifetime does it too.
 * Tests next to each step cover its details. This one covers that all steps run.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dayMs } from '../../src/model/day.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let account: TestAccount
beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  account = await hookline.account()
})
afterAll(() => hookline.close())

test('days, replays and stats past their retention are pruned soon after a worker starts', async () => {
  const { accountId } = account
  await createPartitions(hookline.db, Date.now() - 40 * dayMs)
  const oldDay = new Date(Date.now() - 40 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  await hookline.database.query(
    `INSERT INTO replays (account_id, kind, selection, state, max_per_second, created_by, is_counted, is_read, created_at,
                          next_at, finished_at)
     SELECT $1, 'held', '{"kind":"held","hook_id":1}', 'done', 1, 'operator', true, true, 'epoch', 'infinity',
            now() - days * interval '1 day'
     FROM unnest(ARRAY[29, 31]) AS days`,
    [accountId],
  )
  // Two accounts with hooks, so that the step from one account to the next is covered.
  const { accountId: other } = await hookline.account()
  for (const [owner, hook] of [
    [accountId, 7],
    [accountId, 8],
    [other, 9],
  ])
    await hookline.database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered)
       SELECT $1, $2, date_trunc('hour', now() - days * interval '1 day'), 1 FROM unnest(ARRAY[0, 30, 32, 50]) AS days`,
      [owner, hook],
    )
  // More rows than one statement deletes.
  await hookline.database.query(
    `INSERT INTO rollups (account_id, hook_id, hour)
     SELECT $1, hook, date_trunc('hour', now() - interval '40 days') FROM generate_series(10, 2500) AS hook`,
    [other],
  )
  for (const owner of [accountId, other])
    await hookline.database.query(
      `INSERT INTO event_rollups (account_id, hour, events)
       SELECT $1, date_trunc('hour', now() - days * interval '1 day'), 1 FROM unnest(ARRAY[0, 30, 32, 50]) AS days`,
      [owner],
    )

  await hookline.startAnother({}, 'worker')

  const ages = (table: string, time: string, owner = 'account_id') =>
    hookline.database.query(
      `SELECT ${owner} AS owner, array_agg((extract(epoch FROM now() - ${time}) / 86400)::integer ORDER BY ${time} DESC) AS days
       FROM ${table} GROUP BY 1 ORDER BY 1`,
    )
  const daysOfEvents = () =>
    hookline.database.query(`SELECT FROM pg_class WHERE relname = $1`, [`events_${oldDay}`])
  await vi.waitFor(
    async () => {
      expect(await daysOfEvents()).toEqual([])
      expect(await ages('replays', 'finished_at')).toEqual([{ owner: accountId, days: [29] }])
      expect(await ages('rollups', 'hour', 'hook_id')).toEqual(
        [7, 8, 9].map((owner) => ({ owner, days: [0, 30] })),
      )
      expect(await ages('event_rollups', 'hour')).toEqual(
        [accountId, other].map((owner) => ({ owner, days: [0, 30] })),
      )
    },
    { timeout: 20_000, interval: 200 },
  )
})
