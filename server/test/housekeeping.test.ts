/**
 * What is too old leaves by itself: a worker sees to it as soon as it starts, so that one that never lives for an hour
 * does too. What each step removes in detail is tested beside it; here it is that they happen at all.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dayMs } from '../src/model/day.ts'
import { makePartitions } from '../src/pipeline/ledger/partitions.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let account: TestAccount
beforeAll(async () => {
  world = await startWorld({}, 'api')
  account = await world.account()
})
afterAll(() => world.close())

test('days, replays and figures that are too old are gone soon after a worker has started', async () => {
  const { accountId } = account
  await makePartitions(world.db, Date.now() - 40 * dayMs)
  const oldDay = new Date(Date.now() - 40 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  await world.database.query(
    `INSERT INTO replays (account_id, kind, selection, state, most_per_second, created_by, is_counted, is_read, created_at,
                          next_at, finished_at)
     SELECT $1, 'held', '{"kind":"held","hook_id":1}', 'done', 1, 'operator', true, true, 'epoch', 'infinity',
            now() - days * interval '1 day'
     FROM unnest(ARRAY[29, 31]) AS days`,
    [accountId],
  )
  // Two hooks of two accounts, so that the way from one owner to the next is gone too.
  const { accountId: other } = await world.account()
  for (const [owner, hook] of [
    [accountId, 7],
    [accountId, 8],
    [other, 9],
  ])
    await world.database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered)
       SELECT $1, $2, date_trunc('hour', now() - days * interval '1 day'), 1 FROM unnest(ARRAY[0, 30, 32, 50]) AS days`,
      [owner, hook],
    )
  // And more than one statement takes.
  await world.database.query(
    `INSERT INTO rollups (account_id, hook_id, hour)
     SELECT $1, hook, date_trunc('hour', now() - interval '40 days') FROM generate_series(10, 2500) AS hook`,
    [other],
  )
  for (const owner of [accountId, other])
    await world.database.query(
      `INSERT INTO event_rollups (account_id, hour, events)
       SELECT $1, date_trunc('hour', now() - days * interval '1 day'), 1 FROM unnest(ARRAY[0, 30, 32, 50]) AS days`,
      [owner],
    )

  await world.startAnother({}, 'worker')

  const ages = (table: string, time: string, owner = 'account_id') =>
    world.database.query(
      `SELECT ${owner} AS owner, array_agg((extract(epoch FROM now() - ${time}) / 86400)::integer ORDER BY ${time} DESC) AS days
       FROM ${table} GROUP BY 1 ORDER BY 1`,
    )
  const daysOfEvents = () =>
    world.database.query(`SELECT FROM pg_class WHERE relname = $1`, [`events_${oldDay}`])
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
