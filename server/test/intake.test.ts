/** Intake, health and the ledger's days: one api process; a worker only where a test starts one. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { setHookEnabled } from '../src/hooks/set-enabled.ts'
import type { Reason } from '../src/model/outcome.ts'
import { untilNone } from '../src/ops/until-none.ts'
import { dayMs } from '../src/model/day.ts'
import { makePartitions } from '../src/pipeline/ledger/partitions.ts'
import { dropOldPartitions } from '../src/pipeline/ledger/retention.ts'
import { expireBefore } from '../src/pipeline/work/finish.ts'
import {
  hopelessHooks,
  recordDisabled,
  recordFailures,
  recordWarnings,
} from '../src/pipeline/work/hook-failures.ts'
import { parkUnroutable } from '../src/pipeline/work/park.ts'
import { readWaitingOfDay } from '../src/pipeline/work/waiting-of-day.ts'
import { settle, type Settlement } from '../src/pipeline/work/settle.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
let worker: ServiceProcess | undefined
let startedAt: number

beforeAll(async () => {
  const env = { ALLOW_PRIVATE_TARGETS: 'true', BACKLOG_PER_ACCOUNT: '10' }
  startedAt = Date.now()
  world = await startWorld(env, 'api')
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterEach(async () => {
  worker?.child.kill('SIGKILL')
  // One that is still there could take the work of the next test.
  await worker?.stop()
  worker = undefined
  await query('TRUNCATE inbox, work, lane')
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(sql, values)
}

async function register({ key }: TestAccount, path: string, request_method = 'JSON'): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', request_method }
  return (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

/** A call with the body as it stands. */
async function handInText(body: string): Promise<{ status: number; accepted: string[] }> {
  const answer = await call(`${world.service.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body,
  })
  return { status: answer.status, accepted: answer.json.accepted ?? [] }
}

test('an account with too much waiting is asked to come back later, the others are not', async () => {
  const [busy, calm] = [await world.account(), await world.account()]
  const ten = Array.from({ length: 10 }, () => inboundSms(busy.accountId))
  expect((await gateway.handIn(...ten)).accepted).toHaveLength(10)
  let refused = await gateway.handIn(inboundSms(busy.accountId))
  await expect
    .poll(async () => (refused = await gateway.handIn(inboundSms(busy.accountId))).status, {
      timeout: 30_000,
    })
    .toBe(429)
  expect(refused).toMatchObject({ retryAfter: '10', accepted: [], rejected: [{ index: 0, code: 1202 }] })
  const mixed = await gateway.handIn(inboundSms(busy.accountId), inboundSms(calm.accountId))
  expect([mixed.status, mixed.accepted.length, mixed.rejected[0]?.index]).toEqual([202, 1, 0])
})

test('while PostgreSQL cannot commit, intake answers 503 with Retry-After and keeps nothing', async () => {
  const { accountId } = await world.account()
  const client = new Client({ connectionString: world.database.url.href })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE')
  const refused = await gateway.handIn(inboundSms(accountId))
  await client.end()
  expect(refused).toEqual({ status: 503, retryAfter: '5', accepted: [], rejected: [] })
  expect(await query('SELECT FROM inbox WHERE account_id = $1', accountId)).toEqual([])
  expect((await gateway.handIn(inboundSms(accountId))).status).toBe(202)
})

test('data is delivered as it was written: numbers, order and escapes', async () => {
  const account = await world.account()
  await register(account, '/text')
  await register(account, '/form', 'POST')
  const data =
    '{"z":1.0,"id":12345678901234567890,"sender":"\\u0041\\/b","a":1e3,"system":"4\\t9","text":"\\ud83d\\ude00 ü \\u0000","time":-0,"10":[],"9":{"b":null,"a":true}}'
  const spaced = data.replaceAll(',"', ' ,\n\t"').replace('{"z"', '{  "z"')
  const { accepted } = await handInText(
    `{"events":[{"data":${spaced},"type":"sms_mo","account_id":${account.accountId}}]}`,
  )
  worker = await world.startAnother({}, 'worker')
  await receiver.until(() => receiver.at('/text').length === 1 && receiver.at('/form').length === 1, 30_000)
  expect(accepted).toHaveLength(1)
  expect(receiver.at('/text')[0]?.body.split(',"webhook_event"')[0]).toBe(`{"data":${data}`)
  const form = new URLSearchParams(receiver.at('/form')[0]?.body)
  expect(form.get('data[id]')).toBe('12345678901234567890')
  expect(['data[z]', 'data[a]', 'data[time]', 'data[9][a]'].map((name) => form.get(name))).toEqual([
    '1.0',
    '1e3',
    '-0',
    'true',
  ])
})

test('data nested as deep as its size allows ends in a final state or is refused', async () => {
  const account = await world.account()
  const hook = await register(account, '/deep', 'POST')
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const data = `{"id":"1","sender":"1","system":"2","text":"","time":"1","deep":${deep}}`
  const { status } = await handInText(
    `{"events":[{"account_id":${account.accountId},"type":"sms_mo","data":${data}}]}`,
  )
  if (status === 202) {
    worker = await world.startAnother({}, 'worker')
    await expect
      .poll(() => query('SELECT state FROM deliveries WHERE hook_id = $1', hook), { timeout: 30_000 })
      .toHaveLength(1)
  } else expect(status).toBe(400)
})

test('the lag grows while no worker runs and is gone when one has routed; the api stays ready', async () => {
  const { accountId } = await world.account()
  const { internalUrl } = world.service
  const lag = async () =>
    Number(/^hookline_inbox_oldest_seconds (\S+)$/m.exec((await call(`${internalUrl}/metrics`)).text)?.[1])
  expect(await lag()).toBe(0)
  await gateway.event(accountId)
  await expect.poll(lag, { timeout: 30_000 }).toBeGreaterThan(1)
  expect((await call(`${internalUrl}/health/ready`)).status).toBe(200)
  expect((await call(`${internalUrl}/health/live`)).json).toEqual({ status: 'live' })
  worker = await world.startAnother({}, 'worker')
  await expect.poll(lag, { timeout: 30_000 }).toBe(0)
})

test('the figures of a worker count what it did', async () => {
  const account = await world.account()
  await register(account, '/figures')
  const { internalUrl } = (worker = await world.startAnother({}, 'worker'))
  for (let count = 0; count < 3; count++) await gateway.event(account.accountId)
  await expect
    .poll(() => query('SELECT FROM deliveries WHERE account_id = $1', account.accountId), { timeout: 30_000 })
    .toHaveLength(3)
  // A worker counts what it did after the commit.
  await expect
    .poll(async () => (await call(`${internalUrl}/metrics`)).text.split('\n'), { timeout: 30_000 })
    .toEqual(
      expect.arrayContaining([
        'hookline_attempts_total{reason="delivered"} 3',
        'hookline_deliveries_total{state="delivered"} 3',
        'hookline_attempts_in_flight 0',
        'hookline_leased_deliveries 0',
      ]),
    )
  const accepted = (await call(`${world.service.internalUrl}/metrics`)).text
  expect(accepted).toMatch(/^hookline_events_accepted_total [1-9]/m)
  expect(accepted).toContain('hookline_events_rejected_total{code="1202"}')
})

test('an event that breaks its worker is parked with the reason and takes no other with it', async () => {
  const account = await world.account()
  await register(account, '/beside-poison')
  // Straight into the tables: nobody has them in another shape, and which worker takes them when does not matter.
  const made = await query<{ id: string; data: string }>(
    `WITH made AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(now()), 'sms_mo', data, 1, now() FROM unnest(ARRAY['{}', '{', '{}']) AS data
       RETURNING id, data
     ), fresh AS (
       INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM made
     ) SELECT * FROM made ORDER BY id`,
    account.accountId,
  )
  const [poison] = made.filter(({ data }) => data === '{').map(({ id }) => id)
  const others = made.filter(({ data }) => data === '{}').map(({ id }) => id)
  worker = await world.startAnother({}, 'worker')
  await expect
    .poll(
      async () => {
        // Nobody has to wait until the worker that failed may try again.
        await query('UPDATE inbox SET taken_until = NULL')
        return query('SELECT event_id, reason FROM parked WHERE account_id = $1', account.accountId)
      },
      { timeout: 60_000, interval: 600 },
    )
    .toEqual([{ event_id: poison, reason: 'could not be routed in 5 tries' }])
  await expect
    .poll(
      () =>
        receiver
          .at('/beside-poison')
          .map((request) => String(request.headers['webhook-id']))
          .toSorted(),
      { timeout: 30_000 },
    )
    .toEqual(others)
})

test('partitions are there for two weeks ahead', async () => {
  // Of the day on which the service started: in between it may have become another.
  const last = new Date(startedAt + 14 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  const found = await query<{ name: string }>(
    `SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
     WHERE child.relname = ANY ($1) ORDER BY 1`,
    ['attempts', 'deliveries', 'events'].map((table) => `${table}_${last}`),
  )
  expect(found).toHaveLength(3)
})

/** An event of long ago, in partitions made for it, with a work row. */
async function oldWork(accountId: number, hookId: number, daysAgo: number): Promise<string> {
  await makePartitions(world.db, Date.now() - daysAgo * dayMs)
  const [row] = await query<{ id: string }>(
    `WITH made AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at FROM (SELECT now() - make_interval(days => $3) AS at) AS t
       RETURNING id, accepted_at
     ), worked AS (
       INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
       SELECT $1, $2, id, 'sms_mo', accepted_at, now() + interval '1 hour', 7 FROM made
     ) SELECT id FROM made`,
    accountId,
    hookId,
    daysAgo,
  )
  return row?.id ?? ''
}

function partitionsBefore(day: string): Promise<object[]> {
  return query(
    `SELECT inhrelid::regclass::text FROM pg_inherits
     WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass)
       AND right(inhrelid::regclass::text, 8) < $1`,
    day,
  )
}

/** One run of retention, with 30 days to keep. */
async function retain(now: number, end: (before: Date) => Promise<void> = async () => {}): Promise<void> {
  // The hour in which another day was dropped is over.
  await query(`UPDATE cleanup_clock SET dropped_at = '-infinity'`)
  const parts = {
    db: world.db,
    retentionDays: 30,
    readWaiting: (day: Date) => readWaitingOfDay(world.db, day, 30),
    endWork: end,
    onDropped() {},
    onKept() {},
  }
  return dropOldPartitions(parts, new Date(now))
}

async function endWork(before: Date): Promise<void> {
  await parkUnroutable(world.db, before)
  await untilNone(() => expireBefore(world.db, before))
}

test('days that are two weeks overdue end their work with the reason and then leave, while events keep coming', async () => {
  const [account, busy] = [await world.account(), await world.account()]
  const event = await oldWork(account.accountId, 77, 50)
  const over = new AbortController()
  const statuses: number[] = []
  const coming = (async () => {
    while (!over.signal.aborted) {
      statuses.push((await gateway.handIn(inboundSms(busy.accountId))).status)
      await query('DELETE FROM inbox WHERE account_id = $1', busy.accountId)
    }
  })()
  let ended: object[] = []
  const now = Date.now()
  try {
    await retain(now, async (before) => {
      await endWork(before)
      ended = await query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', event)
    })
  } finally {
    over.abort()
    await coming
  }
  expect(ended).toEqual([{ state: 'expired', reason: 'retention', attempts: 7 }])
  expect(await query('SELECT FROM work WHERE event_id = $1', event)).toEqual([])
  expect(await query('SELECT expired FROM rollups WHERE hook_id = 77')).toEqual([{ expired: '1' }])
  const keptFrom = new Date(now - 30 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  expect(await partitionsBefore(keptFrom)).toEqual([])
  expect(statuses.length).toBeGreaterThan(0)
  expect(new Set(statuses)).toEqual(new Set([202]))
})

test('an attempt that is under way when its day leaves can still be settled', async () => {
  const { accountId } = await world.account()
  const eventId = await oldWork(accountId, 78, 50)
  const lease = randomUUID()
  await query(
    `UPDATE work SET lease = $1, lease_until = now() + interval '30 seconds' WHERE event_id = $2`,
    lease,
    eventId,
  )
  await retain(Date.now(), endWork)
  const settled = settle(world.db, 'test', [
    {
      ...settlement(accountId, 78, 'delivered'),
      eventId,
      lease,
      next: { state: 'delivered', reason: 'delivered' },
    },
  ])
  await expect(settled).resolves.toHaveLength(1)
  expect(await query('SELECT FROM work WHERE event_id = $1', eventId)).toEqual([])
})

/** Tables of days before this one, whether they belong to the ledger still or not. */
function tablesBefore(day: string): Promise<Array<{ name: string; is_pending: boolean | null }>> {
  return query(
    `SELECT relname AS name, inhdetachpending AS is_pending FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid
     WHERE relkind = 'r' AND relname ~ '^(events|routes|deliveries|attempts)_\\d{8}$' AND right(relname, 8) < $1
     ORDER BY 1`,
    day,
  )
}

/** Days that are too old, as the ledger's tables; answers the first day that is kept. */
async function makeOldDays(now: number): Promise<string> {
  const keptFrom = new Date(now - 30 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  await makePartitions(world.db, now - 45 * dayMs)
  expect((await tablesBefore(keptFrom)).length).toBeGreaterThan(8)
  return keptFrom
}

test('a day that was detached halfway, since somebody looked at it for long, leaves the next time', async () => {
  const now = Date.now()
  const keptFrom = await makeOldDays(now)
  // As a backup does: it has looked at all of them and is not done.
  const backup = new Client({ connectionString: world.database.url.href })
  await backup.connect()
  await backup.query('BEGIN')
  await backup.query('SELECT FROM events, routes, deliveries, attempts LIMIT 1')
  await expect(retain(now)).rejects.toThrow(/statement timeout/)
  expect((await tablesBefore(keptFrom)).filter(({ is_pending }) => is_pending)).toHaveLength(1)
  await backup.end()
  await retain(now)
  expect(await tablesBefore(keptFrom)).toEqual([])
})

test('a day that was detached and not dropped any more leaves the next time', async () => {
  const now = Date.now()
  const keptFrom = await makeOldDays(now)
  const [first] = await tablesBefore(keptFrom)
  await query(`ALTER TABLE attempts DETACH PARTITION ${first?.name} CONCURRENTLY`)
  await retain(now)
  expect(await tablesBefore(keptFrom)).toEqual([])
})

function settlement(accountId: number, hookId: number, reason: Reason): Settlement {
  return {
    accountId,
    hookId,
    eventId: randomUUID(),
    round: 1,
    lease: randomUUID(),
    attempts: 8,
    faults: 0,
    next: { state: 'waiting', delayMs: 1, isAsked: false },
    host: '127.0.0.1',
    attempt: { number: 8, startedAt: new Date(), outcome: { reason, timings: { totalMs: 1 } } },
  }
}

/** As if all had been settled, of hooks that had failed before. */
function record(...settlements: Settlement[]): Promise<void> {
  return recordFailures(
    world.db,
    settlements,
    settlements.map(() => ({ isSettled: true, wasFailing: true, isOpen: false })),
  )
}

test('a webhook that only fails is warned of at 1 h, 24 h and 3 days and disabled after five', async () => {
  const account = await world.account()
  const { accountId } = account
  const hookId = await register(account, '/failing')
  const failsTimes = (count: number) =>
    record(...Array.from({ length: count }, () => settlement(accountId, hookId, 'status')))
  const failingFor = (age: string) =>
    query(
      `UPDATE hook_failures SET failing_since = now() - $2::interval WHERE hook_id = $1 RETURNING attempts`,
      hookId,
      age,
    )
  const warnings = async () => {
    await recordWarnings(world.db)
    await recordWarnings(world.db)
    return query<{ kind: string }>(
      `SELECT kind FROM hook_warnings JOIN hook_failures USING (account_id, hook_id, failing_since)
       WHERE hook_id = $1 ORDER BY kind`,
      hookId,
    )
  }
  await failsTimes(11)
  expect(await failingFor('59 minutes')).toEqual([{ attempts: 11 }])
  expect(await warnings()).toEqual([])
  await failingFor('61 minutes')
  expect(await warnings()).toEqual([{ kind: '1 hour' }])
  await failingFor('25 hours')
  expect(await warnings()).toEqual([{ kind: '1 hour' }, { kind: '24 hours' }])
  await failingFor('121 hours')
  expect(await warnings()).toEqual([{ kind: '1 hour' }, { kind: '24 hours' }, { kind: '3 days' }])
  expect(await hopelessHooks(world.db, new Date())).toEqual([])
  await failsTimes(1)
  await failingFor('119 hours')
  expect(await hopelessHooks(world.db, new Date())).toEqual([])
  await failingFor('121 hours')
  expect(await hopelessHooks(world.db, new Date())).toEqual([{ accountId, hookId }])
  await setHookEnabled(world.db, 'service', accountId, hookId, { enabled: false, reason: 'failing' })
  await recordDisabled(world.db, { accountId, hookId }, 'disabled')
  expect(await hopelessHooks(world.db, new Date())).toEqual([])
  expect(
    await query(`SELECT kind FROM hook_warnings WHERE hook_id = $1 AND kind = 'disabled'`, hookId),
  ).toHaveLength(1)
})

test("one success, and nothing of ours, changes a webhook's count of failures", async () => {
  const { accountId } = await world.account()
  const count = () =>
    query('SELECT attempts FROM hook_failures WHERE account_id = $1 AND failing_since IS NOT NULL', accountId)
  await record(settlement(accountId, 5, 'timeout'), settlement(accountId, 5, 'resolver_down'))
  expect(await count()).toEqual([{ attempts: 1 }])
  await record(settlement(accountId, 5, 'internal'))
  expect(await count()).toEqual([{ attempts: 1 }])
  await record(settlement(accountId, 5, 'status'), settlement(accountId, 5, 'delivered'))
  expect(await count()).toEqual([])
})

test('a disabled webhook that holds 100,000 events gets no more, and that is recorded and counted', async () => {
  const account = await world.account()
  const hook = await register(account, '/full')
  await setHookEnabled(world.db, 'operator', account.accountId, hook, { enabled: false, reason: 'test' })
  await query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
     SELECT $1, $2, uuid_v7(now()), 'sms_mo', now(), now(), true FROM generate_series(1, 100000)`,
    account.accountId,
    hook,
  )
  await gateway.event(account.accountId)
  worker = await world.startAnother({}, 'worker')
  const ends = () => query('SELECT state, reason, attempts FROM deliveries WHERE hook_id = $1', hook)
  await expect
    .poll(ends, { timeout: 30_000 })
    .toEqual([{ state: 'cancelled', reason: 'held_full', attempts: 0 }])
  expect(await query('SELECT cancelled FROM rollups WHERE hook_id = $1', hook)).toEqual([{ cancelled: '1' }])
})
