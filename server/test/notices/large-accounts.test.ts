/** Accounts with as many members, channels and notices as they can have. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { asDatabase } from '../../src/db/nested.ts'
import type { Database } from '../../src/db/database.ts'
import { recordBounce } from '../../src/notices/bounces.ts'
import { deleteChannel, listChannels } from '../../src/notices/channels.ts'
import { composeNext } from '../../src/notices/compose.ts'
import { recordLosses } from '../../src/notices/detect-losses.ts'
import { recordRecovered } from '../../src/notices/detect-recovered.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService

// No worker: the tests compose step by step.
beforeAll(async () => {
  hookline = await startDashboardService()
})
afterAll(() => hookline.close())
beforeEach(() => hookline.database.query('DELETE FROM notices'))

/** Creates an account with members and due notices about failing webhooks. Returns its id. */
async function accountWith(members: number, notices: number): Promise<number> {
  const [created] = await hookline.database.query<{ accountId: number }>(
    `WITH account AS (INSERT INTO accounts (name) VALUES ('large') RETURNING id), users AS (
       INSERT INTO logins (account_id, alias, email, password_hash, email_verified_at)
       SELECT id, 'user-' || id || '-' || number, 'user-' || id || '-' || number || '@example.com', '', now()
       FROM account, generate_series(1, $1) AS number
     ), failing AS (
       INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
       SELECT id, url, url, 'sms_mo', 'JSON', decode(md5(url), 'hex') FROM account CROSS JOIN LATERAL (
         SELECT 'https://shop.example/' || id || '/' || number AS url FROM generate_series(1, $2) AS number) AS urls
       RETURNING account_id, id
     ), failures AS (
       INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
       SELECT account_id, id, now() - interval '2 hours', 20 FROM failing
     ), reported AS (
       INSERT INTO notices (account_id, hook_id, subject, streak, kind, due_at, is_open)
       SELECT account_id, id, 'hook:' || id, now() - interval '2 hours', 'failing_1h', now(), true FROM failing
     )
     SELECT id AS "accountId" FROM account`,
    [members, notices],
  )
  return created?.accountId ?? 0
}

/** Composes one step. An error fails the test: the account would be postponed again and again. */
function compose(): Promise<number> {
  return composeNext(hookline.db, {
    sendsEmail: true,
    onError: (error) => {
      throw error
    },
  })
}

describe('an account with 200 members', () => {
  test('gets one message per member about 300 webhooks that fail', async () => {
    const accountId = await accountWith(200, 300)
    while ((await compose()) > 0);
    const messages = await hookline.database.query<{ notices: string }>(
      `SELECT count(*) AS notices FROM notice_recipients WHERE account_id = $1
       GROUP BY login_id, message_id HAVING message_id IS NOT NULL`,
      [accountId],
    )
    expect(messages.map(({ notices }) => notices)).toEqual(Array(200).fill('300'))
  })

  test('does not delay the notices of another account', async () => {
    await accountWith(200, 300)
    const other = await accountWith(1, 1)
    await hookline.database.query(
      "UPDATE notices SET due_at = due_at - interval '1 minute' WHERE account_id <> $1",
      [other],
    )
    await compose()
    expect(
      await hookline.database.query('SELECT FROM notice_messages WHERE account_id = $1', [other]),
    ).toHaveLength(1)
  })
})

describe('accounts with thousands of webhooks', () => {
  test('do not delay the recoveries of others with failures that ended without a delivery', async () => {
    await accountWith(1, 2_500)
    const other = await accountWith(1, 1)
    await hookline.database.query('DELETE FROM hook_failures')
    await hookline.database.query("UPDATE notices SET state = 'ready'")
    await hookline.database.query(
      `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
       SELECT account_id, uuid_v7_floor(now()), id, 1, 'delivered', 'delivered', 1 FROM hooks WHERE account_id = $1`,
      [other],
    )
    await recordRecovered(hookline.db)
    expect(await accountsWith('recovered')).toEqual([other])
  })

  test('do not delay the losses of others', async () => {
    const [large, other] = [await accountWith(1, 2_500), await accountWith(1, 1)]
    await hookline.database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, failed)
       SELECT account_id, id, date_trunc('hour', now()), 1 FROM hooks WHERE account_id = ANY ($1::integer[])`,
      [[large, other]],
    )
    await recordLosses(hookline.db)
    expect(await accountsWith('lost')).toEqual([large, other])
  })
})

describe('an account with 20,000 messages', () => {
  let accountId: number
  let channelId: number

  beforeAll(async () => {
    accountId = await accountWith(1, 1)
    const [channel] = await hookline.database.query<{ id: number }>(
      `INSERT INTO notice_channels (account_id, kind, name, url, host, kind_groups, mode)
       VALUES ($1, 'json', 'unused', '', 'chat.example', '{failing}', 'instant') RETURNING id`,
      [accountId],
    )
    channelId = channel?.id ?? 0
    await hookline.database.query(
      `INSERT INTO notice_messages (account_id, login_id, state)
       SELECT account_id, logins.id, 'sent' FROM logins, generate_series(1, 20000) WHERE account_id = $1`,
      [accountId],
    )
    await hookline.database.query('ANALYZE notice_messages')
  })

  test.each<[title: string, call: (db: Database) => Promise<unknown>]>([
    ['the list of its channels', (db) => listChannels(db, accountId)],
    ['a bounce', (db) => recordBounce(db, { messageIds: [randomUUID()], status: '5.1.1' })],
    ['the deletion of a channel', (db) => deleteChannel(db, 'service', accountId, channelId)],
  ])('reads few of them for %s', async (_title, call) => {
    expect(await rowsRead(call)).toBeLessThan(10)
  })
})

async function accountsWith(kind: string): Promise<number[]> {
  const rows = await hookline.database.query<{ accountId: number }>(
    'SELECT DISTINCT account_id AS "accountId" FROM notices WHERE kind = $1 ORDER BY 1',
    [kind],
  )
  return rows.map(({ accountId }) => accountId)
}

/** Returns the rows of messages that a call reads. */
async function rowsRead(call: (db: Database) => Promise<unknown>): Promise<number> {
  return hookline.db.transaction().execute(async (trx) => {
    await call(asDatabase(trx))
    const { rows } = await sql<{ count: number }>`
      SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS count FROM pg_stat_xact_user_tables
      WHERE relname = 'notice_messages'`.execute(trx)
    return rows[0]?.count ?? 0
  })
}
