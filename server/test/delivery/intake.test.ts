/** Tests intake, health and partitions of the ledger with one api process. Some tests start a worker. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { setHookEnabled } from '../../src/hooks/set-enabled.ts'
import type { AttemptReason } from '../../src/model/delivery/outcome.ts'
import { drain } from '../../src/runtime/drain.ts'
import { dayMs } from '../../src/model/day.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { dropOldPartitions } from '../../src/ledger/retention.ts'
import { expireBefore } from '../../src/delivery/queue/finish.ts'
import { disableHook } from '../../src/delivery/disable-hook.ts'
import { recordFailures } from '../../src/delivery/queue/failure-streaks.ts'
import { hooksToDisable, recordWarnings } from '../../src/delivery/queue/failure-warnings.ts'
import { parkUnroutable } from '../../src/delivery/queue/parked-events.ts'
import { readPendingOfDay } from '../../src/delivery/queue/pending-of-day.ts'
import { settle, type Settlement, type Unsuccessful } from '../../src/delivery/queue/settle.ts'
import { settleDelivered } from '../../src/delivery/queue/settle-delivered.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let worker: ServiceProcess | undefined
let startedAt: number

beforeAll(async () => {
  const env = { ALLOW_PRIVATE_TARGETS: 'true', BACKLOG_PER_ACCOUNT: '10' }
  startedAt = Date.now()
  hookline = await startTestService(env, 'api')
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterEach(async () => {
  worker?.child.kill('SIGKILL')
  // A worker that is still running could claim deliveries of the next test.
  await worker?.stop()
  worker = undefined
  await query('TRUNCATE inbox, work, lane')
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(sql, values)
}

async function register(
  { key }: TestAccount,
  path: string,
  options: Record<string, string> = {},
): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...options }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

/** Submits a raw body. */
async function submitText(body: string): Promise<{ status: number; accepted: string[] }> {
  const response = await call(`${hookline.service.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, accepted: response.json.accepted ?? [] }
}

test('a revoked producer gets 401 with its next call, whatever the call contains, and stores nothing', async () => {
  const account = await hookline.account()
  const producer = await createGateway(hookline)
  const known = { ...inboundSms(account.accountId), key: 'before the revocation' }
  expect((await producer.submitEvents(known)).status).toBe(202)
  const [before] = await query('SELECT count(*) FROM events')
  await query(`UPDATE producers SET revoked_at = now() WHERE id = (SELECT max(id) FROM producers)`)
  const invalid = { account_id: account.accountId, type: 'sms_mo', data: {} }
  const statuses = [
    await producer.submitEvents(inboundSms(account.accountId)),
    await producer.submitEvents(known),
    await producer.submitEvents(invalid),
    await producer.submitEvents(invalid, inboundSms(account.accountId)),
    await producer.submitEvents(inboundSms(2_000_000_000)),
    await producer.submitEvents(),
  ].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
  expect(await query('SELECT count(*) FROM events')).toEqual([before])
  expect((await gateway.submitEvents(inboundSms(account.accountId))).status).toBe(202)
})

test('an account over its backlog quota gets 429 with Retry-After, and other accounts do not', async () => {
  const [busy, idle] = [await hookline.account(), await hookline.account()]
  const ten = Array.from({ length: 10 }, () => inboundSms(busy.accountId))
  expect((await gateway.submitEvents(...ten)).accepted).toHaveLength(10)
  let rejected = await gateway.submitEvents(inboundSms(busy.accountId))
  await expect
    .poll(async () => (rejected = await gateway.submitEvents(inboundSms(busy.accountId))).status, {
      timeout: 30_000,
    })
    .toBe(429)
  expect(rejected).toMatchObject({ retryAfter: '10', accepted: [], rejected: [{ index: 0, code: 1202 }] })
  const mixed = await gateway.submitEvents(inboundSms(busy.accountId), inboundSms(idle.accountId))
  expect([mixed.status, mixed.accepted.length, mixed.rejected[0]?.index]).toEqual([202, 1, 0])
})

test('intake returns 503 with Retry-After and stores nothing while PostgreSQL cannot commit', async () => {
  const { accountId } = await hookline.account()
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE')
  const rejected = await gateway.submitEvents(inboundSms(accountId))
  await client.end()
  expect(rejected).toEqual({ status: 503, retryAfter: '5', accepted: [], rejected: [] })
  expect(await query('SELECT FROM inbox WHERE account_id = $1', accountId)).toEqual([])
  expect((await gateway.submitEvents(inboundSms(accountId))).status).toBe(202)
})

test('data is delivered as written, with message_type added: numbers, order and escapes', async () => {
  const account = await hookline.account()
  await register(account, '/text')
  await register(account, '/form', { request_method: 'POST' })
  const data =
    '{"z":1.0,"id":12345678901234567890,"sender":"\\u0041\\/b","a":1e3,"system":"4\\t9","text":"\\ud83d\\ude00 ü \\u0000","time":-0,"10":[],"9":{"b":null,"a":true}}'
  const spaced = data.replaceAll(',"', ' ,\n\t"').replace('{"z"', '{  "z"')
  const { accepted } = await submitText(
    `{"events":[{"data":${spaced},"type":"sms_mo","account_id":${account.accountId}}]}`,
  )
  worker = await hookline.startAnother({}, 'worker')
  await receiver.until(() => receiver.at('/text').length === 1 && receiver.at('/form').length === 1, 30_000)
  expect(accepted).toHaveLength(1)
  const complete = `${data.slice(0, -1)},"message_type":"SMS"}`
  expect(receiver.at('/text')[0]?.body.split(',"webhook_event"')[0]).toBe(`{"data":${complete}`)
  const form = new URLSearchParams(receiver.at('/form')[0]?.body)
  expect(form.get('data[id]')).toBe('12345678901234567890')
  expect(['data[z]', 'data[a]', 'data[time]', 'data[9][a]'].map((name) => form.get(name))).toEqual([
    '1.0',
    '1e3',
    '-0',
    'true',
  ])
})

test('data nested as deeply as its size allows is either finished or rejected', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/deep', { request_method: 'POST' })
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const data = `{"id":"1","sender":"1","system":"2","text":"","time":"1","deep":${deep}}`
  const { status } = await submitText(
    `{"events":[{"account_id":${account.accountId},"type":"sms_mo","data":${data}}]}`,
  )
  if (status === 202) {
    worker = await hookline.startAnother({}, 'worker')
    await expect
      .poll(() => query('SELECT state FROM deliveries WHERE hook_id = $1', hook), { timeout: 30_000 })
      .toHaveLength(1)
  } else expect(status).toBe(400)
})

test('the lag grows without a worker and is 0 after routing, while the api stays ready', async () => {
  const { accountId } = await hookline.account()
  const { internalUrl } = hookline.service
  const lag = async () =>
    Number(/^hookline_inbox_oldest_seconds (\S+)$/m.exec((await call(`${internalUrl}/metrics`)).text)?.[1])
  expect(await lag()).toBe(0)
  await gateway.event(accountId)
  await expect.poll(lag, { timeout: 30_000 }).toBeGreaterThan(1)
  expect((await call(`${internalUrl}/health/ready`)).status).toBe(200)
  expect((await call(`${internalUrl}/health/live`)).json).toEqual({ status: 'live' })
  worker = await hookline.startAnother({}, 'worker')
  await expect.poll(lag, { timeout: 30_000 }).toBe(0)
})

test('the metrics of a worker count its attempts and deliveries', async () => {
  const account = await hookline.account()
  await register(account, '/figures')
  const { internalUrl } = (worker = await hookline.startAnother({}, 'worker'))
  for (let count = 0; count < 3; count++) await gateway.event(account.accountId)
  await expect
    .poll(() => query('SELECT FROM deliveries WHERE account_id = $1', account.accountId), { timeout: 30_000 })
    .toHaveLength(3)
  // A worker updates its metrics after the commit.
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
  const accepted = (await call(`${hookline.service.internalUrl}/metrics`)).text
  expect(accepted).toMatch(/^hookline_events_accepted_total [1-9]/m)
  expect(accepted).toContain('hookline_events_rejected_total{code="1202"}')
})

test('an event that breaks its worker is parked with the reason, and does not affect others', async () => {
  const account = await hookline.account()
  // The filter reads the data.
  await register(account, '/beside-poison', { event_filter: '4911' })
  // Inserted directly, because intake rejects such data. The worker and the time of the claim do not matter.
  const created = await query<{ id: string; data: string }>(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(now()), 'sms_mo', data, 1, now() FROM unnest(ARRAY['{"system":"4911"}', '{', '{"system":"4911"}']) AS data
       RETURNING id, data
     ), fresh AS (
       INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM created
     ) SELECT * FROM created ORDER BY id`,
    account.accountId,
  )
  const [broken] = created.filter(({ data }) => data === '{').map(({ id }) => id)
  const others = created.filter(({ data }) => data !== '{').map(({ id }) => id)
  worker = await hookline.startAnother({}, 'worker')
  await expect
    .poll(
      async () => {
        // Clears the claim, so that the test does not wait until the event may be claimed again.
        await query('UPDATE inbox SET taken_until = NULL')
        return query('SELECT event_id, reason FROM parked WHERE account_id = $1', account.accountId)
      },
      { timeout: 60_000, interval: 600 },
    )
    .toEqual([{ event_id: broken, reason: 'could not be routed in 5 tries' }])
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

test('partitions exist for the next two weeks', async () => {
  // Counts from the day on which the service started, because the day may have changed since.
  const last = new Date(startedAt + 14 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  const found = await query<{ name: string }>(
    `SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
     WHERE child.relname = ANY ($1) ORDER BY 1`,
    ['attempts', 'deliveries', 'events'].map((table) => `${table}_${last}`),
  )
  expect(found).toHaveLength(3)
})

/** Inserts an old event with its partitions and a work row. */
async function insertOldDelivery(accountId: number, hookId: number, daysAgo: number): Promise<string> {
  await createPartitions(hookline.db, Date.now() - daysAgo * dayMs)
  const [row] = await query<{ id: string }>(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at FROM (SELECT now() - make_interval(days => $3) AS at) AS t
       RETURNING id, accepted_at
     ), inserted AS (
       INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
       SELECT $1, $2, id, 'sms_mo', accepted_at, now() + interval '1 hour', 7 FROM created
     ) SELECT id FROM created`,
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

/** Runs retention once, with 30 days. */
async function retain(
  now: number,
  finishWork: (before: Date) => Promise<void> = async () => {},
): Promise<void> {
  // Ends the hour after the last dropped day.
  await query(`UPDATE cleanup_clock SET dropped_at = '-infinity'`)
  const deps = {
    db: hookline.db,
    retentionDays: 30,
    readPending: (day: Date) => readPendingOfDay(hookline.db, day, 30),
    expirePending: finishWork,
    onDropped() {},
    onKept() {},
  }
  return dropOldPartitions(deps, new Date(now))
}

async function finishOldWork(before: Date): Promise<void> {
  await parkUnroutable(hookline.db, before)
  await drain(() => expireBefore(hookline.db, before))
}

test('days two weeks overdue finish their deliveries with the reason and are then dropped, while intake continues', async () => {
  const [account, busy] = [await hookline.account(), await hookline.account()]
  const event = await insertOldDelivery(account.accountId, 77, 50)
  const done = new AbortController()
  const statuses: number[] = []
  const submitting = (async () => {
    while (!done.signal.aborted) {
      statuses.push((await gateway.submitEvents(inboundSms(busy.accountId))).status)
      await query('DELETE FROM inbox WHERE account_id = $1', busy.accountId)
    }
  })()
  let finished: object[] = []
  const now = Date.now()
  try {
    await retain(now, async (before) => {
      await finishOldWork(before)
      finished = await query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', event)
    })
  } finally {
    done.abort()
    await submitting
  }
  expect(finished).toEqual([{ state: 'expired', reason: 'retention', attempts: 7 }])
  expect(await query('SELECT FROM work WHERE event_id = $1', event)).toEqual([])
  expect(await query('SELECT expired FROM rollups WHERE hook_id = 77')).toEqual([{ expired: '1' }])
  const keptFrom = new Date(now - 30 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  expect(await partitionsBefore(keptFrom)).toEqual([])
  expect(statuses.length).toBeGreaterThan(0)
  expect(new Set(statuses)).toEqual(new Set([202]))
})

test('an attempt in flight when its day is dropped can still be settled', async () => {
  const { accountId } = await hookline.account()
  const eventId = await insertOldDelivery(accountId, 78, 50)
  const lease = randomUUID()
  await query(
    `UPDATE work SET lease = $1, lease_until = now() + interval '30 seconds' WHERE event_id = $2`,
    lease,
    eventId,
  )
  await retain(Date.now(), finishOldWork)
  const failed = settle(hookline.db, 'test', [{ ...settlement(accountId, 78, 'status'), eventId, lease }])
  await expect(failed).resolves.toHaveLength(1)
  const delivered = settleDelivered(hookline.db, 'test', [
    {
      ...settlement(accountId, 78, 'delivered'),
      attempt: {
        number: 8,
        startedAt: new Date(),
        outcome: { reason: 'delivered', timings: { totalMs: 1 } },
      },
      eventId,
      next: { state: 'delivered', reason: 'delivered' },
    },
  ])
  await expect(delivered).resolves.toHaveLength(1)
  expect(await query('SELECT FROM work WHERE event_id = $1', eventId)).toEqual([])
})

/** Returns tables of earlier days, attached to the ledger or not. */
function tablesBefore(day: string): Promise<Array<{ name: string; is_pending: boolean | null }>> {
  return query(
    `SELECT relname AS name, inhdetachpending AS is_pending FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid
     WHERE relkind = 'r' AND relname ~ '^(events|routes|deliveries|attempts)_\\d{8}$' AND right(relname, 8) < $1
     ORDER BY 1`,
    day,
  )
}

/** Creates days past their retention and returns the first day that is kept. */
async function createOldDays(now: number): Promise<string> {
  const keptFrom = new Date(now - 30 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  await createPartitions(hookline.db, now - 45 * dayMs)
  expect((await tablesBefore(keptFrom)).length).toBeGreaterThan(8)
  return keptFrom
}

test('a day that was only partly detached because of a long reader is dropped in the next run', async () => {
  const now = Date.now()
  const keptFrom = await createOldDays(now)
  // Like a backup, this transaction has read all tables and is still open.
  const backup = new Client({ connectionString: hookline.database.url.href })
  await backup.connect()
  await backup.query('BEGIN')
  await backup.query('SELECT FROM events, routes, deliveries, attempts LIMIT 1')
  await expect(retain(now)).rejects.toThrow(/statement timeout/)
  expect((await tablesBefore(keptFrom)).filter(({ is_pending }) => is_pending)).toHaveLength(1)
  await backup.end()
  await retain(now)
  expect(await tablesBefore(keptFrom)).toEqual([])
})

test('a day that was detached but not dropped is dropped in the next run', async () => {
  const now = Date.now()
  const keptFrom = await createOldDays(now)
  const [first] = await tablesBefore(keptFrom)
  await query(`ALTER TABLE attempts DETACH PARTITION ${first?.name} CONCURRENTLY`)
  await retain(now)
  expect(await tablesBefore(keptFrom)).toEqual([])
})

function settlement(accountId: number, hookId: number, reason: AttemptReason): Unsuccessful {
  return {
    accountId,
    hookId,
    eventId: randomUUID(),
    round: 1,
    lease: randomUUID(),
    attempts: 8,
    faults: 0,
    next: { state: 'waiting', delayMs: 1, isRetryAfter: false },
    host: '127.0.0.1',
    attempt: { number: 8, startedAt: new Date(), outcome: { reason, timings: { totalMs: 1 } } },
  }
}

/** Records settlements of hooks that were failing before. */
function record(...settlements: Settlement[]): Promise<void> {
  return recordFailures(
    hookline.db,
    settlements,
    settlements.map(() => ({ isSettled: true, wasFailing: true, isOpen: false })),
  )
}

test('a webhook that only fails gets warnings after 1 hour, 24 hours and 3 days, and is disabled after 5 days', async () => {
  const account = await hookline.account()
  const { accountId } = account
  const hookId = await register(account, '/failing')
  const fail = (count: number) =>
    record(...Array.from({ length: count }, () => settlement(accountId, hookId, 'status')))
  const failingFor = (age: string) =>
    query(
      `UPDATE hook_failures SET failing_since = now() - $2::interval WHERE hook_id = $1 RETURNING attempts`,
      hookId,
      age,
    )
  const warnings = async () => {
    await recordWarnings(hookline.db)
    await recordWarnings(hookline.db)
    return query<{ kind: string }>(
      `SELECT kind FROM hook_warnings JOIN hook_failures USING (account_id, hook_id, failing_since)
       WHERE hook_id = $1 ORDER BY kind`,
      hookId,
    )
  }
  await fail(11)
  expect(await failingFor('59 minutes')).toEqual([{ attempts: 11 }])
  expect(await warnings()).toEqual([])
  await failingFor('61 minutes')
  expect(await warnings()).toEqual([{ kind: '1 hour' }])
  await failingFor('25 hours')
  expect(await warnings()).toEqual([{ kind: '1 hour' }, { kind: '24 hours' }])
  await failingFor('121 hours')
  expect(await warnings()).toEqual([{ kind: '1 hour' }, { kind: '24 hours' }, { kind: '3 days' }])
  expect(await hooksToDisable(hookline.db, new Date())).toEqual([])
  await fail(1)
  await failingFor('119 hours')
  expect(await hooksToDisable(hookline.db, new Date())).toEqual([])
  await failingFor('121 hours')
  expect(await hooksToDisable(hookline.db, new Date())).toEqual([{ accountId, hookId }])
  await disableHook(hookline.db, { accountId, hookId }, 'failing')
  expect(await hooksToDisable(hookline.db, new Date())).toEqual([])
  expect(
    await query(`SELECT kind FROM hook_warnings WHERE hook_id = $1 AND kind = 'disabled'`, hookId),
  ).toHaveLength(1)
})

test('a success resets the failure count of a webhook, and faults of the service do not change it', async () => {
  const { accountId } = await hookline.account()
  const count = () =>
    query('SELECT attempts FROM hook_failures WHERE account_id = $1 AND failing_since IS NOT NULL', accountId)
  await record(settlement(accountId, 5, 'timeout'), settlement(accountId, 5, 'resolver_down'))
  expect(await count()).toEqual([{ attempts: 1 }])
  await record(settlement(accountId, 5, 'internal'))
  expect(await count()).toEqual([{ attempts: 1 }])
  await record(settlement(accountId, 5, 'status'), settlement(accountId, 5, 'delivered'))
  expect(await count()).toEqual([])
})

test('a disabled webhook with 100,000 held events gets no more, which is recorded and counted', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/full')
  await setHookEnabled(hookline.db, 'operator', account.accountId, hook, {
    enabled: false,
    reason: 'operator',
  })
  await query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
     SELECT $1, $2, uuid_v7(now()), 'sms_mo', now(), now(), true FROM generate_series(1, 100000)`,
    account.accountId,
    hook,
  )
  await gateway.event(account.accountId)
  worker = await hookline.startAnother({}, 'worker')
  const outcomes = () => query('SELECT state, reason, attempts FROM deliveries WHERE hook_id = $1', hook)
  await expect
    .poll(outcomes, { timeout: 30_000 })
    .toEqual([{ state: 'cancelled', reason: 'held_full', attempts: 0 }])
  expect(await query('SELECT cancelled FROM rollups WHERE hook_id = $1', hook)).toEqual([{ cancelled: '1' }])
})
