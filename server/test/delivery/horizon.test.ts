/** Tests how far rows are read in commit order. Only writers of Hookline hold the horizon back. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { openTail, type TailReader } from '../../../dev/tail-reader.ts'
import { cancelReplay } from '../../src/replays/replay-actions.ts'
import { discardHeld } from '../../src/delivery/queue/finish.ts'
import { rejectLateMarks } from '../support/reject-late-marks.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())

async function connect(database?: string): Promise<Client> {
  const url = new URL(hookline.database.url)
  if (database !== undefined) url.pathname = `/${database}`
  const client = new Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

async function openReader({ key }: TestAccount): Promise<TailReader> {
  const reader = await openTail(`${hookline.url}/api/events/stream?from=now`, {
    headers: { 'x-api-key': key },
  })
  onTestFinished(() => reader.cut())
  await expect.poll(() => reader.lastId(), { timeout: 30_000 }).toBeDefined()
  return reader
}

function idsOf({ messages }: TailReader): string[] {
  return messages.filter(({ event }) => event === 'event').map(({ data }) => data.id)
}

const insert = `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
  VALUES ($1, uuid_v7(clock_timestamp()), 'sms_mo', '{}', 1, now()) RETURNING id, xid::text`

async function isHeldBack(xid: string): Promise<boolean> {
  const [row] = await hookline.database.query<{ held: boolean }>(
    'SELECT commit_horizon() <= $1::xid8 AS held',
    [xid],
  )
  return row?.held === true
}

test('tails continue while foreign transactions are open, in this database and in another', async () => {
  const account = await hookline.account()
  const [here, elsewhere, dump] = [await connect(), await connect('postgres'), await connect()]
  await here.query('BEGIN; CREATE TEMP TABLE analysis AS SELECT 1 AS one; SELECT pg_current_xact_id()')
  await elsewhere.query('BEGIN; SELECT pg_current_xact_id()')
  await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT count(*) FROM events')
  const reader = await openReader(account)
  const ids = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  await expect.poll(() => idsOf(reader), { timeout: 30_000 }).toEqual(ids)
  // They were open the whole time.
  for (const client of [here, elsewhere, dump]) await client.query('COMMIT')
})

test.each(['COMMIT', 'ROLLBACK', 'a lost connection'])(
  'a slow writer holds tails back until its transaction ends with %s, and no event is lost',
  async (end) => {
    const account = await hookline.account()
    const reader = await openReader(account)
    const slow = await connect()
    await slow.query('BEGIN')
    await slow.query('SELECT begin_ledger_write()')
    const [first] = (await slow.query<{ id: string; xid: string }>(insert, [account.accountId])).rows
    const second = await gateway.event(account.accountId)
    expect(await isHeldBack(first?.xid ?? '')).toBe(true)
    expect(idsOf(reader)).toEqual([])
    if (end === 'COMMIT' || end === 'ROLLBACK') await slow.query(end)
    else await hookline.database.query('SELECT pg_terminate_backend($1)', [await pidOf(slow)])
    const expected = end === 'COMMIT' ? [first?.id, second] : [second]
    await expect.poll(() => idsOf(reader), { timeout: 30_000 }).toEqual(expected)
  },
)

async function pidOf(client: Client): Promise<number> {
  const [row] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows
  return row?.pid ?? 0
}

test('a role that cannot see other sessions reads the same horizon', async () => {
  const account = await hookline.account()
  const [writer, reader] = [await connect(), await connect()]
  const role = `horizon_${account.accountId}_${process.pid}`
  await hookline.database.query(`CREATE ROLE ${role}`)
  await reader.query(`SET ROLE ${role}`)
  await writer.query('BEGIN')
  await writer.query('SELECT begin_ledger_write()')
  const [row] = (await writer.query<{ xid: string }>(insert, [account.accountId])).rows
  const readHorizon = async () =>
    (await reader.query<{ horizon: string }>('SELECT commit_horizon()::text AS horizon')).rows
  // An older transaction of the service may still run.
  await expect.poll(readHorizon).toEqual([{ horizon: row?.xid }])
  await writer.query('ROLLBACK')
  await reader.query('RESET ROLE')
  await hookline.database.query(`DROP ROLE ${role}`)
})

test('a reader sees each row once while writers commit in any order, fail and die', async () => {
  const { accountId } = await hookline.account()
  const done = new AbortController()
  const write = async (): Promise<void> => {
    let client = await connect()
    for (let round = 0; round < 120; round++) {
      await client.query('BEGIN; SELECT begin_ledger_write()')
      await client.query(insert, [accountId])
      if (Math.random() < 0.3) await sleep(Math.random() * 20)
      const chance = Math.random()
      if (chance < 0.05) {
        const pid = await pidOf(client)
        await hookline.database.query('SELECT pg_terminate_backend($1)', [pid])
        client = await connect()
      } else await client.query(chance < 0.15 ? 'ROLLBACK' : 'COMMIT')
    }
  }
  // Unmarked transactions: short ones come and go, and one stays open.
  const runUnmarked = async (): Promise<void> => {
    const [short, long] = [await connect(), await connect('postgres')]
    await long.query('BEGIN; SELECT pg_current_xact_id()')
    while (!done.signal.aborted) {
      await short.query('BEGIN; SELECT pg_current_xact_id()')
      await sleep(Math.random() * 5)
      await short.query('COMMIT')
    }
    await long.query('COMMIT')
  }
  const newestXid = async (): Promise<string> => {
    const [row] = await hookline.database.query<{ xid: string }>(
      'SELECT max(xid::text::bigint)::text AS xid FROM events WHERE account_id = $1',
      [accountId],
    )
    return row?.xid ?? '0'
  }
  const seen: string[] = []
  // A backend that is shutting down holds the horizon back briefly, so the reader continues until the horizon has passed.
  const read = async (): Promise<void> => {
    const client = await connect()
    let from = '0'
    while (!done.signal.aborted || BigInt(from) <= BigInt(await newestXid())) {
      const { rows } = await client.query<{ horizon: string; ids: string[] }>(
        `WITH horizon AS MATERIALIZED (SELECT commit_horizon() AS xid)
         SELECT (SELECT xid::text FROM horizon) AS horizon, array_agg(id::text ORDER BY xid) FILTER (WHERE id IS NOT NULL) AS ids
         FROM events WHERE account_id = $1 AND xid >= $2::xid8 AND xid < (SELECT xid FROM horizon)`,
        [accountId, from],
      )
      const [row] = rows
      seen.push(...(row?.ids ?? []))
      if (row !== undefined && BigInt(row.horizon) > BigInt(from)) from = row.horizon
    }
  }
  const others = [runUnmarked(), read()]
  await Promise.all(Array.from({ length: 8 }, write))
  done.abort()
  await Promise.all(others)
  const committed = await hookline.database.query<{ id: string }>(
    'SELECT id FROM events WHERE account_id = $1 ORDER BY xid',
    [accountId],
  )
  expect(seen).toEqual(committed.map(({ id }) => id))
  expect(seen.length).toBeGreaterThan(500)
})

test('every write for an event or a replay marks its transaction before the transaction id is assigned', async () => {
  await rejectLateMarks(hookline)
  const receiver = await startReceiver((_request, response) => void response.writeHead(410).end())
  onTestFinished(() => receiver.close())
  const settings = { ALLOW_PRIVATE_TARGETS: 'true' }
  const service = await hookline.startAnother({ PORT: '0', ...settings })
  onTestFinished(async () => void (await service.stop()))
  const { accountId, key } = await hookline.account()
  const json = { target_url: receiver.url(), event_type: 'all', request_method: 'JSON' }
  const { json: hook } = await call(`${service.url}/api/hooks`, { method: 'POST', key, json })
  const states = async () =>
    (
      await hookline.database.query<{ state: string }>('SELECT state FROM deliveries WHERE account_id = $1', [
        accountId,
      ])
    )
      .map(({ state }) => state)
      .toSorted()
  // The delivery fails with 410, which disables the webhook. The next event is held, then discarded by the account.
  await gateway.event(accountId)
  await expect.poll(states, { timeout: 30_000 }).toEqual(['failed'])
  // The webhook is disabled shortly after the delivery has failed.
  const disabled = 'SELECT FROM hooks WHERE account_id = $1 AND NOT enabled'
  await expect.poll(() => hookline.database.query(disabled, [accountId]), { timeout: 30_000 }).toHaveLength(1)
  await gateway.event(accountId)
  const held = 'SELECT FROM work WHERE account_id = $1 AND held'
  await expect.poll(() => hookline.database.query(held, [accountId]), { timeout: 30_000 }).toHaveLength(1)
  await discardHeld(hookline.db, accountId, hook.id)
  expect(await states()).toEqual(['cancelled', 'failed'])
  // Canceling a replay finishes its deliveries that are not in flight.
  const [replay] = await hookline.database.query<{ id: number }>(
    `INSERT INTO replays (account_id, kind, selection, state, max_per_second, created_by, is_counted, next_at)
     VALUES ($1, 'deliveries', '{"kind":"deliveries","deliveries":[]}', 'running', 1, 'operator', true, 'infinity') RETURNING id`,
    [accountId],
  )
  await hookline.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, replay_id)
     SELECT account_id, hook_id, event_id, 2, 'sms_mo', now(), 'infinity', $2 FROM deliveries WHERE account_id = $1 LIMIT 1`,
    [accountId, replay?.id],
  )
  await cancelReplay(hookline.db, { accountId, actor: 'operator' }, replay?.id ?? 0)
  expect(await states()).toEqual(['cancelled', 'cancelled', 'failed'])
})

test('every statement that writes rows read by tails marks its transaction', async () => {
  const folder = new URL('../../src/', import.meta.url)
  const files = await readdir(folder, { recursive: true })
  const writers: string[] = []
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = await readFile(new URL(file, folder), 'utf8')
    if (!/INSERT INTO (events|deliveries)\b|insertInto\('(events|deliveries)'\)/.test(text)) continue
    writers.push(file)
    expect(text, file).toContain('${ledgerWrite}')
  }
  expect(writers.length).toBeGreaterThanOrEqual(4)
})
