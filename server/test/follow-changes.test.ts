/**
 * Work follows changes of webhooks every second. However much others have waiting, and whatever PostgreSQL knows of a table
 * that has just grown, only the work of the changed webhooks is read.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Database } from '../src/db/database.ts'
import { cancelForDeletedHooks } from '../src/pipeline/work/finish.ts'
import { holdForDisabledHooks } from '../src/pipeline/work/held.ts'
import { startWorld, type TestWorld } from './service.ts'

const othersRows = 30_000
const ownRows = 50

let world: TestWorld
beforeAll(async () => {
  world = await startWorld({}, 'api')
  const { accountId } = await world.account()
  await addHooks(accountId, 100, 'created')
  await addWork(accountId, othersRows / 100)
  // An account that switched and deleted hundreds of webhooks: the planner now expects much work for changed ones.
  for (const change of ['disabled', 'enabled', 'deleted'])
    await world.database.query(
      `INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method, enabled)
       SELECT account_id, id + CASE WHEN $1 = 'deleted' THEN 1000000 ELSE 0 END, id + 1000000 + length($1) * 1000, $1,
         'operator', target_url, event_type, request_method, true FROM hooks WHERE account_id = $2`,
      [change, accountId],
    )
  await world.database.query('ANALYZE work, hooks, hook_versions')
})
afterAll(() => world.close())

async function addHooks(accountId: number, count: number, change: 'created' | 'disabled' | 'deleted') {
  await world.database.query(
    `WITH added AS (
       INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint, enabled)
       SELECT $1, url, url, 'all', 'JSON', decode(md5(url), 'hex'), $3 = 'created'
       FROM generate_series(1, $2::integer) AS n, concat('https://example.com/', n, $3::text) AS url RETURNING *
     )
     INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method, enabled)
     SELECT account_id, id, id, $3, 'operator', target_url, event_type, request_method, enabled FROM added`,
    [accountId, count, change],
  )
}

async function addWork(accountId: number, perHook: number): Promise<void> {
  await world.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
     SELECT account_id, id, uuid_v7(now()), 'sms_mo', now(), now() + interval '1 hour'
     FROM hooks, generate_series(1, $2::integer) WHERE account_id = $1`,
    [accountId, perHook],
  )
}

/** Rows of `work` that a task reads, by any index or none. */
async function rowsRead(task: (db: Database) => Promise<unknown>): Promise<number> {
  const read = sql<{ rows: number }>`
    SELECT (seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables WHERE relname = 'work'`
  return world.db.transaction().execute(async (trx) => {
    await task(trx)
    return (await read.execute(trx)).rows[0]?.rows ?? Number.NaN
  })
}

async function statesOf(accountId: number): Promise<unknown> {
  const { rows } = await sql`
    SELECT held, count(*)::integer AS count FROM work WHERE account_id = ${accountId} GROUP BY held`.execute(
    world.db,
  )
  return rows
}

test.each([
  { change: 'disabled', task: holdForDisabledHooks, after: [{ held: true, count: 2 * ownRows }] },
  { change: 'deleted', task: cancelForDeletedHooks, after: [] },
] as const)('work of webhooks that were $change', async ({ change, task, after }) => {
  const { accountId } = await world.account()
  await addHooks(accountId, 2, change)
  await addWork(accountId, ownRows)
  const rows = await rowsRead(task)
  expect(await statesOf(accountId)).toEqual(after)
  // Each row is found, locked and changed; versions that are no longer visible are read too.
  expect(rows).toBeGreaterThanOrEqual(2 * ownRows)
  expect(rows).toBeLessThan(20 * ownRows)
  expect(await rowsRead(task), 'rows read when nothing is left to do').toBeLessThan(20 * ownRows)
})
