/**
 * Every second, pending deliveries are updated after changes of webhooks. Only rows of the changed webhooks are read,
 * regardless of the queue of other accounts and of outdated planner statistics.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Database } from '../../src/db/database.ts'
import { cancelForDeletedHooks } from '../../src/delivery/queue/finish.ts'
import { holdForDisabledHooks } from '../../src/delivery/queue/held.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

const otherRows = 30_000
const ownRows = 50

let hookline: TestService
beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  const { accountId } = await hookline.account()
  await addHooks(accountId, 100, 'created')
  await addWork(accountId, otherRows / 100)
  // Hundreds of disabled and deleted webhooks make the planner expect many rows for changed webhooks.
  for (const change of ['disabled', 'enabled', 'deleted'])
    await hookline.database.query(
      `INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method, enabled)
       SELECT account_id, id + CASE WHEN $1 = 'deleted' THEN 1000000 ELSE 0 END, id + 1000000 + length($1) * 1000, $1,
         'operator', target_url, event_type, request_method, true FROM hooks WHERE account_id = $2`,
      [change, accountId],
    )
  await hookline.database.query('ANALYZE work, hooks, hook_versions')
})
afterAll(() => hookline.close())

async function addHooks(accountId: number, count: number, change: 'created' | 'disabled' | 'deleted') {
  await hookline.database.query(
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
  await hookline.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
     SELECT account_id, id, uuid_v7(now()), 'sms_mo', now(), now() + interval '1 hour'
     FROM hooks, generate_series(1, $2::integer) WHERE account_id = $1`,
    [accountId, perHook],
  )
}

/** Returns the number of `work` rows that a task reads, by index or sequential scan. */
async function countRowsRead(task: (db: Database) => Promise<unknown>): Promise<number> {
  const read = sql<{ rows: number }>`
    SELECT (seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables WHERE relname = 'work'`
  return hookline.db.transaction().execute(async (trx) => {
    await task(trx)
    return (await read.execute(trx)).rows[0]?.rows ?? Number.NaN
  })
}

async function readStates(accountId: number): Promise<unknown> {
  const { rows } = await sql`
    SELECT held, count(*)::integer AS count FROM work WHERE account_id = ${accountId} GROUP BY held`.execute(
    hookline.db,
  )
  return rows
}

test.each([
  { change: 'disabled', task: holdForDisabledHooks, after: [{ held: true, count: 2 * ownRows }] },
  { change: 'deleted', task: cancelForDeletedHooks, after: [] },
] as const)('only rows of $change webhooks are read and updated', async ({ change, task, after }) => {
  const { accountId } = await hookline.account()
  await addHooks(accountId, 2, change)
  await addWork(accountId, ownRows)
  const rows = await countRowsRead(task)
  expect(await readStates(accountId)).toEqual(after)
  // Each row is found, locked and updated; dead row versions are read too.
  expect(rows).toBeGreaterThanOrEqual(2 * ownRows)
  expect(rows).toBeLessThan(20 * ownRows)
  expect(await countRowsRead(task), 'rows read when no change is left').toBeLessThan(20 * ownRows)
})
