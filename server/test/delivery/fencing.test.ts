/** Tests leases, lanes and slots when processes are slow, die, stop or lose the database. */
import { builtInCatalog } from '../../src/model/event-type/catalog.ts'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createHookCache } from '../../src/hooks/hook-cache.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { deliver } from '../../src/delivery/deliver.ts'
import { createOutageWatch } from '../../src/delivery/retry/outage.ts'
import { claimDue, type ClaimedDelivery } from '../../src/delivery/queue/claim.ts'
import { settle, type Settlement, type Unsuccessful } from '../../src/delivery/queue/settle.ts'
import { settleDelivered, type Success } from '../../src/delivery/queue/settle-delivered.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { waitForCounts } from '../support/counts.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

const noneFull = { hooks: [], accounts: [], hosts: [] }

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
/** Responses that a test sends itself, in the order of the requests. */
let pendingResponses: ServerResponse[]
/** Delays the response to a request to `/slow`. */
let delayResponse: () => Promise<unknown> = () => sleep(100)
const workers: ServiceProcess[] = []

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  gateway = await createGateway(hookline)
  pendingResponses = []
  receiver = await startReceiver(async (request, response) => {
    if (request.url.startsWith('/pending')) pendingResponses.push(response)
    else {
      if (request.url.startsWith('/slow')) await delayResponse()
      response.writeHead(request.url.startsWith('/fails') ? 500 : 204).end()
    }
  })
})
afterEach(async () => {
  // A separate test covers the graceful stop of a worker.
  const killed = workers.splice(0)
  for (const worker of killed) worker.child.kill('SIGKILL')
  // A worker that is still running could claim deliveries of the next test.
  await Promise.all(killed.map((worker) => worker.stop()))
  pendingResponses = []
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function startWorker(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const worker = await hookline.startAnother(env, 'worker')
  workers.push(worker)
  return worker
}

/** Only workers evaluate it, so the events of its webhook go to the inbox. */
const readByWorkers = { event_filter: `cel:event.id != ''` }

async function register({ key }: TestAccount, path: string, options: object = {}): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', ...options }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(sql, values)
}

function outcomesOf(eventId: string): Promise<object[]> {
  return query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', eventId)
}

function requestsOf(ids: readonly string[]): ReceivedRequest[] {
  return receiver.requests.filter((request) => ids.includes(String(request.headers['webhook-id'])))
}

/** Starts two concurrent attempts of one delivery. The first has lost its lease, the second holds it. */
async function startOvertakenAttempt(): Promise<string> {
  const account = await hookline.account()
  await register(account, '/pending')
  await Promise.all([startWorker(), startWorker()])
  const event = await gateway.event(account.accountId)
  await expect.poll(() => pendingResponses.length, { timeout: 30_000 }).toBe(1)
  await query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE event_id = $1`, event)
  await expect.poll(() => pendingResponses.length, { timeout: 30_000 }).toBe(2)
  return event
}

test('a success after the lease has expired settles the delivery once', async () => {
  const event = await startOvertakenAttempt()
  pendingResponses[0]?.writeHead(204).end()
  const outcomes = [{ state: 'delivered', reason: 'delivered', attempts: 1 }]
  await expect.poll(() => outcomesOf(event), { timeout: 30_000 }).toEqual(outcomes)
  expect(await query('SELECT FROM work WHERE event_id = $1', event)).toEqual([])
  pendingResponses[1]?.writeHead(500).end()
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  expect(await outcomesOf(event)).toEqual(outcomes)
  expect(await query('SELECT reason FROM all_attempts WHERE event_id = $1', event)).toEqual([
    { reason: 'delivered' },
  ])
  expect(await query('SELECT FROM work WHERE event_id = $1', event)).toEqual([])
})

test('a failure after the lease has expired changes nothing', async () => {
  const event = await startOvertakenAttempt()
  const [before] = await query<{ lease: string }>('SELECT * FROM work WHERE event_id = $1', event)
  pendingResponses[0]?.writeHead(500).end()
  await expect
    .poll(() => workers.map((worker) => worker.output()).join('\n'), { timeout: 30_000 })
    .toMatch(new RegExp(`"event":"${event}".*"settled":false`))
  expect(before?.lease).toMatch(/^[\da-f-]{36}$/)
  expect(await query('SELECT * FROM work WHERE event_id = $1', event)).toEqual([before])
  expect(await query('SELECT FROM all_attempts WHERE event_id = $1', event)).toEqual([])
  pendingResponses[1]?.writeHead(204).end()
  await expect
    .poll(() => outcomesOf(event), { timeout: 30_000 })
    .toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1 }])
})

/** Inserts events with a work row for a hook, as the route commit does. They are not leased. */
async function insertPending(account: TestAccount, hookId: number, count: number): Promise<string[]> {
  const rows = await query<{ event_id: string }>(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $3) RETURNING id
     ), schedule AS (
       INSERT INTO lane VALUES ($1, $2, now())
     )
     INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
     SELECT $1, $2, id, 'sms_mo', now(), now() FROM created RETURNING event_id`,
    account.accountId,
    hookId,
    count,
  )
  return rows.map((row) => row.event_id)
}

function settlement<Next extends Settlement['next']>(
  { accountId, hookId, eventId, round, attempts }: ClaimedDelivery,
  lease: string,
  next: Next,
): Settlement & { next: Next } {
  return { accountId, hookId, eventId, round, lease, attempts, faults: 0, next, host: '127.0.0.1' }
}

function success(claimed: ClaimedDelivery): Success {
  return {
    ...settlement(claimed, randomUUID(), { state: 'delivered', reason: 'delivered' }),
    attempts: 1,
    attempt: {
      number: 1,
      startedAt: new Date(),
      outcome: { reason: 'delivered', status: 204, timings: { totalMs: 7 } },
    },
  }
}

/** Runs a settlement that finds its row before another transaction changes it, and waits for that transaction. */
async function whileChanging<Result>(change: string, settling: () => Promise<Result>): Promise<Result> {
  const other = new Client({ connectionString: hookline.database.url.href })
  await other.connect()
  await other.query('BEGIN')
  await other.query(change)
  const result = settling()
  await expect
    .poll(() =>
      query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`),
    )
    .toHaveLength(1)
  await other.query('COMMIT')
  await other.end()
  return result
}

test('a success is settled once, also if another worker changes its lease at that moment', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/unused')
  const [event = ''] = await insertPending(account, hook, 1)
  const [claimed] = (await claimDue(hookline.db, 1, { id: randomUUID(), seconds: 30 }, noneFull)).deliveries
  if (claimed === undefined) throw new Error('nothing was claimed')
  const settled = await whileChanging(
    `UPDATE work SET lease = '${randomUUID()}' WHERE event_id = '${event}'`,
    () => settleDelivered(hookline.db, 'test', [success(claimed), success(claimed)]),
  )
  expect(settled.filter(({ isSettled }) => isSettled)).toHaveLength(1)
  expect(await settleDelivered(hookline.db, 'test', [success(claimed)])).toMatchObject([{ isSettled: false }])
  expect(await outcomesOf(event)).toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1 }])
  expect(
    await query('SELECT attempt, status, total_ms FROM all_attempts WHERE event_id = $1', event),
  ).toEqual([{ attempt: 1, status: 204, total_ms: 7 }])
  await waitForCounts(hookline)
  expect(await query('SELECT delivered, attempts, failures FROM rollups WHERE hook_id = $1', hook)).toEqual([
    { delivered: '1', attempts: '1', failures: '0' },
  ])
})

test.each([
  ['is settled if another transaction changes its row but not its lease', 'faults = 3', true],
  ['changes nothing if another worker takes its lease at that moment', `lease = gen_random_uuid()`, false],
])('a failure %s', async (_, change, isSettled) => {
  const account = await hookline.account()
  const hook = await register(account, '/unused')
  const events = await insertPending(account, hook, 2)
  const lease = { id: randomUUID(), seconds: 30 }
  const { deliveries } = await claimDue(hookline.db, 2, lease, noneFull)
  const failed = deliveries.map(
    (claimed) =>
      ({
        ...settlement(claimed, lease.id, { state: 'failed', reason: 'status' }),
        attempts: 1,
        attempt: { number: 1, startedAt: new Date(), outcome: { reason: 'status', timings: { totalMs: 1 } } },
      }) satisfies Unsuccessful,
  )
  const settled = await whileChanging(`UPDATE work SET ${change} WHERE event_id = '${events[0]}'`, () =>
    settle(hookline.db, 'test', failed),
  )
  const changed = failed.findIndex(({ eventId }) => eventId === events[0])
  expect(settled[changed]).toMatchObject({ isSettled })
  expect(settled[1 - changed]).toMatchObject({ isSettled: true })
  const outcomes = isSettled ? [{ state: 'failed', reason: 'status', attempts: 1 }] : []
  expect(await outcomesOf(events[0] ?? '')).toEqual(outcomes)
  expect(await query('DELETE FROM work WHERE hook_id = $1 RETURNING event_id', hook)).toEqual(
    isSettled ? [] : [{ event_id: events[0] }],
  )
  expect(await query('SELECT attempt FROM all_attempts WHERE hook_id = $1', hook)).toHaveLength(
    isSettled ? 2 : 1,
  )
})

test('a success after another worker has failed has the next number', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/unused')
  const [event = ''] = await insertPending(account, hook, 1)
  const lease = { id: randomUUID(), seconds: 30 }
  const [claimed] = (await claimDue(hookline.db, 1, lease, noneFull)).deliveries
  if (claimed === undefined) throw new Error('nothing was claimed')
  const failed = {
    ...settlement(claimed, lease.id, { state: 'waiting', delayMs: 60_000, isRetryAfter: false }),
    attempts: 1,
    attempt: {
      number: 1,
      startedAt: new Date(),
      outcome: { reason: 'status', status: 500, timings: { totalMs: 1 } },
    },
  } satisfies Unsuccessful
  expect(await settle(hookline.db, 'other', [failed])).toMatchObject([{ isSettled: true }])
  expect(await settleDelivered(hookline.db, 'test', [success(claimed)])).toMatchObject([{ isSettled: true }])
  expect(await outcomesOf(event)).toEqual([{ state: 'delivered', reason: 'delivered', attempts: 2 }])
  expect(
    await query('SELECT attempt, status FROM all_attempts WHERE event_id = $1 ORDER BY attempt', event),
  ).toEqual([
    { attempt: 1, status: 500 },
    { attempt: 2, status: 204 },
  ])
})

test('a success of an earlier round is not settled', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/unused')
  const [event = ''] = await insertPending(account, hook, 1)
  const [claimed] = (await claimDue(hookline.db, 1, { id: randomUUID(), seconds: 30 }, noneFull)).deliveries
  if (claimed === undefined) throw new Error('nothing was claimed')
  await query('UPDATE work SET round = 2 WHERE event_id = $1', event)
  expect(await settleDelivered(hookline.db, 'test', [success(claimed)])).toMatchObject([{ isSettled: false }])
  expect(await outcomesOf(event)).toEqual([])
  expect(await query('DELETE FROM work WHERE event_id = $1 RETURNING round', event)).toEqual([{ round: 2 }])
})

test('settling twice changes nothing', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/unused')
  const [event = ''] = await insertPending(account, hook, 1)
  const lease = { id: randomUUID(), seconds: 30 }
  const [claimed] = (await claimDue(hookline.db, 1, lease, noneFull)).deliveries
  if (claimed === undefined) throw new Error('nothing was claimed')
  const failed: Unsuccessful = {
    ...settlement(claimed, lease.id, { state: 'failed', reason: 'status' }),
    attempts: 1,
    attempt: { number: 1, startedAt: new Date(), outcome: { reason: 'status', timings: { totalMs: 1 } } },
  }
  expect(await settle(hookline.db, 'test', [failed])).toMatchObject([{ isSettled: true }])
  expect(await settle(hookline.db, 'test', [failed])).toMatchObject([{ isSettled: false }])
  expect(await settleDelivered(hookline.db, 'test', [success(claimed)])).toMatchObject([{ isSettled: false }])
  expect(await outcomesOf(event)).toEqual([{ state: 'failed', reason: 'status', attempts: 1 }])
  await waitForCounts(hookline)
  expect(
    await query('SELECT delivered, failed, attempts, failures FROM rollups WHERE hook_id = $1', hook),
  ).toEqual([{ delivered: '0', failed: '1', attempts: '1', failures: '1' }])
})

test('a delivery returned while its lane is being claimed is claimed again', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/unused')
  await insertPending(account, hook, 2)
  const first = { id: randomUUID(), seconds: 30 }
  const [returned] = (await claimDue(hookline.db, 1, first, noneFull)).deliveries
  if (returned === undefined) throw new Error('nothing was claimed')
  // Locked lanes of others that are due earlier. The claim passes them between its snapshot and this lane.
  await query(
    `INSERT INTO lane SELECT 2000000000, n, now() - interval '1 hour' FROM generate_series(1, 100000) AS n`,
  )
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM lane WHERE account_id = 2000000000 FOR UPDATE')
  const claiming = claimDue(hookline.db, 4, { id: randomUUID(), seconds: 30 }, noneFull)
  await sleep(15)
  await settle(hookline.db, 'test', [
    settlement(returned, first.id, { state: 'waiting', delayMs: 0, isRetryAfter: false }),
  ])
  const claimed = await claiming
  await client.end()
  await query('DELETE FROM lane WHERE account_id = 2000000000')
  const second = await claimDue(hookline.db, 4, { id: randomUUID(), seconds: 30 }, noneFull)
  expect([...claimed.deliveries, ...second.deliveries].map(({ eventId }) => eventId)).toContain(
    returned.eventId,
  )
  await query('DELETE FROM work WHERE hook_id = $1', hook)
})

test('webhooks evicted from the cache are not treated as deleted', async () => {
  const account = await hookline.account()
  const hookId = await register(account, '/unused')
  const others = await query<{ id: number }>(
    `INSERT INTO accounts (name) SELECT 'other' FROM generate_series(1, 20002) RETURNING id`,
  )
  const hooks = createHookCache(hookline.db, hookline.vault)
  await hooks.load([account.accountId])
  const event = {
    id: randomUUID(),
    accountId: account.accountId,
    type: 'sms_mo' as const,
    data: '{}',
    acceptedAt: new Date(),
  }
  const leased = {
    event,
    hookId,
    round: 1,
    attempts: 0,
    faults: 0,
  }
  // Other events of the same worker load these meanwhile.
  await hooks.load(others.slice(1).map(({ id }) => id))
  await hooks.load(others.slice(0, 1).map(({ id }) => id))
  const settled = await deliver(
    {
      hooks,
      traitsOf: builtInCatalog.traitsOf,
      attempt: async () => ({ reason: 'delivered', status: 204, timings: { totalMs: 1 } }),
      clock: { ...systemClock, random: () => 0 },
      lease: randomUUID(),
      leaseLeftMs: () => 30_000,
      outages: createOutageWatch(systemClock.monotonic),
      receivers: { observe() {} },
    },
    leased,
  )
  expect(settled?.next).not.toEqual({ state: 'cancelled', reason: 'hook_deleted' })
})

test('a worker stopped under load sends nothing twice and leaves nothing leased', async () => {
  const account = await hookline.account()
  const hooks = await Promise.all([1, 2, 3, 4].map((index) => register(account, `/slow/${index}`)))
  const worker = await startWorker()
  // After a hundred requests, responses wait until the worker stops, so that it cannot finish earlier.
  const isStopping = Promise.withResolvers<void>()
  delayResponse = () => (slowRequests() <= 100 ? sleep(100) : isStopping.promise)
  const ids: string[] = []
  for (let cycle = 0; cycle < 4; cycle++) {
    const events = Array.from({ length: 100 }, () => inboundSms(account.accountId))
    ids.push(...(await gateway.submitEvents(...events)).accepted)
  }
  await receiver.until(() => requestsOf(ids).length > 100, 30_000)
  const stopping = worker.stop()
  await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('"msg":"stopping"')
  delayResponse = () => sleep(100)
  isStopping.resolve()
  expect(await stopping).toBe(0)
  const sentBeforeStop = requestsOf(ids).length
  expect(sentBeforeStop).toBeLessThan(1_600)
  expect(await query('SELECT FROM work WHERE lease IS NOT NULL')).toEqual([])
  expect(
    await query('SELECT count(*)::integer AS settled FROM deliveries WHERE hook_id = ANY ($1)', hooks),
  ).toEqual([{ settled: sentBeforeStop }])
  await startWorker()
  await receiver.until(() => requestsOf(ids).length >= 1_600, 60_000)
  await expect
    .poll(() => query('SELECT FROM work WHERE hook_id = ANY ($1)', hooks), { timeout: 30_000 })
    .toEqual([])
  const pairs = requestsOf(ids).map((r) => `${String(r.headers['webhook-id'])} ${r.url}`)
  expect([pairs.length, new Set(pairs).size]).toEqual([1_600, 1_600])
})

function slowRequests(): number {
  return receiver.requests.filter(({ url }) => url.startsWith('/slow')).length
}

/** Locks a table exclusively while the action runs. */
async function whileLocked(table: string, action: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  try {
    await action()
  } finally {
    await client.end()
  }
}

async function failedRoutes(worker: ServiceProcess, count: number): Promise<void> {
  await expect
    .poll(() => worker.output().split('claim failed, retrying').length - 1, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count)
}

test('a worker has all its slots again after a database outage', async () => {
  const account = await hookline.account()
  await register(account, '/after-outage', readByWorkers)
  const worker = await startWorker({ CONCURRENCY: '2' })
  const first = await gateway.event(account.accountId)
  await receiver.until(() => requestsOf([first]).length === 1, 30_000)
  let ids: string[] = []
  await whileLocked('work', async () => {
    ids = (await gateway.submitEvents(...[1, 2, 3, 4].map(() => inboundSms(account.accountId)))).accepted
    await failedRoutes(worker, 2)
  })
  await receiver.until(() => requestsOf(ids).length === 4, 30_000)
  expect(ids).toHaveLength(4)
})

test('a database outage does not count as an attempt to route an event', async () => {
  const account = await hookline.account()
  await register(account, '/no-try', readByWorkers)
  const worker = await startWorker()
  const first = await gateway.event(account.accountId)
  await receiver.until(() => requestsOf([first]).length === 1, 30_000)
  let event = ''
  await whileLocked('work', async () => {
    event = await gateway.event(account.accountId)
    await expect
      .poll(() => query('UPDATE inbox SET tries = 5 WHERE tries = 1 RETURNING tries'), { timeout: 30_000 })
      .toEqual([{ tries: 5 }])
    await failedRoutes(worker, 2)
  })
  await receiver.until(() => requestsOf([event]).length === 1, 30_000)
  expect(await query('SELECT reason FROM parked WHERE event_id = $1', event)).toEqual([])
})

test('a worker with a single slot alternates between fresh events and retries', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/fails/single')
  await startWorker({ CONCURRENCY: '1' })
  const ids: string[] = []
  for (let cycle = 1; cycle <= 3; cycle++) {
    ids.push(await gateway.event(account.accountId))
    await receiver.until(
      () => new Set(requestsOf(ids).map((r) => r.headers['webhook-id'])).size === cycle,
      30_000,
    )
    const before = requestsOf(ids).length
    await expect
      .poll(
        async () => {
          // Keeps the circuit breaker closed, because this test is about slots.
          await query('DELETE FROM hook_failures WHERE hook_id = $1', hook)
          // Repeated, because settling a request in flight sets another due time.
          await query('UPDATE work SET due_at = now() WHERE hook_id = $1', hook)
          await query('UPDATE lane SET due_at = now() WHERE hook_id = $1', hook)
          return requestsOf(ids).length
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(before)
  }
  expect(ids).toHaveLength(3)
})
