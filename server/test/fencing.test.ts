/** Leases, turns and places: what holds when processes are slow, die, stop or lose the database for a while. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createDeliveryHooks } from '../src/hooks/delivery-hooks.ts'
import { systemClock } from '../src/ops/clock.ts'
import { deliver } from '../src/pipeline/deliver.ts'
import { createOutageWatch } from '../src/pipeline/retry/outage.ts'
import { claimDue, type ClaimedDelivery } from '../src/pipeline/work/claim.ts'
import { settle, type Settlement } from '../src/pipeline/work/settle.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 120_000 })

const nobodyFull = { hooks: [], accounts: [], hosts: [] }

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
/** Answers that a test gives when it wants to, in the order the requests came. */
let pending: ServerResponse[]
/** How long a request to `/slow` waits for its answer. */
let slowly: () => Promise<unknown> = () => sleep(100)
const workers: ServiceProcess[] = []

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  gateway = await createGateway(world)
  pending = []
  receiver = await startReceiver(async (request, response) => {
    if (request.url.startsWith('/pending')) pending.push(response)
    else {
      if (request.url.startsWith('/slow')) await slowly()
      response.writeHead(request.url.startsWith('/fails') ? 500 : 204).end()
    }
  })
})
afterEach(async () => {
  // Whether a worker stops when it is asked to is a test of its own.
  const killed = workers.splice(0)
  for (const worker of killed) worker.child.kill('SIGKILL')
  // One that is still there could take the work of the next test.
  await Promise.all(killed.map((worker) => worker.stop()))
  pending = []
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function startWorker(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const worker = await world.startAnother(env, 'worker')
  workers.push(worker)
  return worker
}

async function register({ key }: TestAccount, path: string): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo' }
  return (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(sql, values)
}

function endsOf(eventId: string): Promise<object[]> {
  return query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', eventId)
}

function ofEvents(ids: readonly string[]): ReceivedRequest[] {
  return receiver.requests.filter((request) => ids.includes(String(request.headers['webhook-id'])))
}

/** Two attempts of one delivery under way at once: the first has lost its lease, the second has it. */
async function overtaken(): Promise<string> {
  const account = await world.account()
  await register(account, '/pending')
  await Promise.all([startWorker(), startWorker()])
  const event = await gateway.event(account.accountId)
  await expect.poll(() => pending.length, { timeout: 30_000 }).toBe(1)
  await query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE event_id = $1`, event)
  await expect.poll(() => pending.length, { timeout: 30_000 }).toBe(2)
  return event
}

test('a success that comes after its lease settles the delivery, once', async () => {
  const event = await overtaken()
  pending[0]?.writeHead(204).end()
  const ends = [{ state: 'delivered', reason: 'delivered', attempts: 1 }]
  await expect.poll(() => endsOf(event), { timeout: 30_000 }).toEqual(ends)
  expect(await query('SELECT FROM work WHERE event_id = $1', event)).toEqual([])
  pending[1]?.writeHead(500).end()
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  expect(await endsOf(event)).toEqual(ends)
  expect(await query('SELECT reason FROM attempts WHERE event_id = $1', event)).toEqual([
    { reason: 'delivered' },
  ])
  expect(await query('SELECT FROM work WHERE event_id = $1', event)).toEqual([])
})

test('a failure that comes after its lease changes nothing', async () => {
  const event = await overtaken()
  const [before] = await query<{ lease: string }>('SELECT * FROM work WHERE event_id = $1', event)
  pending[0]?.writeHead(500).end()
  await expect
    .poll(() => workers.map((worker) => worker.output()).join('\n'), { timeout: 30_000 })
    .toMatch(new RegExp(`"event":"${event}".*"settled":false`))
  expect(before?.lease).toMatch(/^[\da-f-]{36}$/)
  expect(await query('SELECT * FROM work WHERE event_id = $1', event)).toEqual([before])
  expect(await query('SELECT FROM attempts WHERE event_id = $1', event)).toEqual([])
  pending[1]?.writeHead(204).end()
  await expect
    .poll(() => endsOf(event), { timeout: 30_000 })
    .toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1 }])
})

/** An event in the ledger with a work row for a hook, as the route commit leaves them; not leased. */
async function waitingWork(account: TestAccount, hookId: number, count: number): Promise<string[]> {
  const rows = await query<{ event_id: string }>(
    `WITH made AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $3) RETURNING id
     ), turn AS (
       INSERT INTO lane VALUES ($1, $2, now())
     )
     INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
     SELECT $1, $2, id, 'sms_mo', now(), now() FROM made RETURNING event_id`,
    account.accountId,
    hookId,
    count,
  )
  return rows.map((row) => row.event_id)
}

function settlement(
  { accountId, hookId, eventId, round, attempts }: ClaimedDelivery,
  lease: string,
  next: Settlement['next'],
): Settlement {
  return { accountId, hookId, eventId, round, lease, attempts, faults: 0, next, host: '127.0.0.1' }
}

test('settling twice changes nothing', async () => {
  const account = await world.account()
  const hook = await register(account, '/unused')
  const [event = ''] = await waitingWork(account, hook, 1)
  const lease = { id: randomUUID(), seconds: 30 }
  const [claimed] = (await claimDue(world.db, 1, lease, nobodyFull)).deliveries
  if (claimed === undefined) throw new Error('nothing was claimed')
  const made: Settlement = {
    ...settlement(claimed, lease.id, { state: 'failed', reason: 'status' }),
    attempts: 1,
    attempt: { number: 1, startedAt: new Date(), outcome: { reason: 'status', timings: { totalMs: 1 } } },
  }
  expect(await settle(world.db, 'test', [made])).toMatchObject([{ isSettled: true }])
  expect(await settle(world.db, 'test', [made])).toMatchObject([{ isSettled: false }])
  expect(
    await settle(world.db, 'test', [{ ...made, next: { state: 'delivered', reason: 'delivered' } }]),
  ).toMatchObject([{ isSettled: false }])
  expect(await endsOf(event)).toEqual([{ state: 'failed', reason: 'status', attempts: 1 }])
  expect(
    await query('SELECT delivered, failed, attempts, failures FROM rollups WHERE hook_id = $1', hook),
  ).toEqual([{ delivered: '0', failed: '1', attempts: '1', failures: '1' }])
})

test('work that comes back while its lane is being claimed keeps its turn', async () => {
  const account = await world.account()
  const hook = await register(account, '/unused')
  await waitingWork(account, hook, 2)
  const first = { id: randomUUID(), seconds: 30 }
  const [back] = (await claimDue(world.db, 1, first, nobodyFull)).deliveries
  if (back === undefined) throw new Error('nothing was claimed')
  // Lanes of others that are locked and due before: a claim has them to pass between its snapshot and this lane.
  await query(
    `INSERT INTO lane SELECT 2000000000, n, now() - interval '1 hour' FROM generate_series(1, 100000) AS n`,
  )
  const client = new Client({ connectionString: world.database.url.href })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM lane WHERE account_id = 2000000000 FOR UPDATE')
  const claiming = claimDue(world.db, 4, { id: randomUUID(), seconds: 30 }, nobodyFull)
  await sleep(15)
  await settle(world.db, 'test', [
    settlement(back, first.id, { state: 'waiting', delayMs: 0, isAsked: false }),
  ])
  const claimed = await claiming
  await client.end()
  await query('DELETE FROM lane WHERE account_id = 2000000000')
  const again = await claimDue(world.db, 4, { id: randomUUID(), seconds: 30 }, nobodyFull)
  expect([...claimed.deliveries, ...again.deliveries].map(({ eventId }) => eventId)).toContain(back.eventId)
  await query('DELETE FROM work WHERE hook_id = $1', hook)
})

test('webhooks that fell out of memory are not taken for deleted ones', async () => {
  const account = await world.account()
  const hookId = await register(account, '/unused')
  const others = await query<{ id: number }>(
    `INSERT INTO accounts (name) SELECT 'other' FROM generate_series(1, 20002) RETURNING id`,
  )
  const hooks = createDeliveryHooks(world.db, world.vault)
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
  // What other events of the same worker need meanwhile.
  await hooks.load(others.slice(1).map(({ id }) => id))
  await hooks.load(others.slice(0, 1).map(({ id }) => id))
  const settled = await deliver(
    {
      hooks,
      attempt: async () => ({ reason: 'delivered', status: 204, timings: { totalMs: 1 } }),
      clock: { ...systemClock, random: () => 0 },
      lease: randomUUID(),
      leaseLeftMs: () => 30_000,
      outages: createOutageWatch(systemClock.monotonic),
    },
    leased,
  )
  expect(settled?.next).not.toEqual({ state: 'cancelled', reason: 'hook_deleted' })
})

test('a worker that is stopped under load sends nothing twice and leaves nothing leased', async () => {
  const account = await world.account()
  const hooks = await Promise.all([1, 2, 3, 4].map((place) => register(account, `/slow/${place}`)))
  const stopped = await startWorker()
  // After a hundred, answers wait until the worker stops: it cannot be done before, however late it is asked to.
  const isStopping = Promise.withResolvers<void>()
  slowly = () => (slowRequests() <= 100 ? sleep(100) : isStopping.promise)
  const ids: string[] = []
  for (let turn = 0; turn < 4; turn++) {
    const events = Array.from({ length: 100 }, () => inboundSms(account.accountId))
    ids.push(...(await gateway.handIn(...events)).accepted)
  }
  await receiver.until(() => ofEvents(ids).length > 100, 30_000)
  const stopping = stopped.stop()
  await expect.poll(() => stopped.output(), { timeout: 30_000 }).toContain('"msg":"stopping"')
  slowly = () => sleep(100)
  isStopping.resolve()
  expect(await stopping).toBe(0)
  const sentByThen = ofEvents(ids).length
  expect(sentByThen).toBeLessThan(1_600)
  expect(await query('SELECT FROM work WHERE lease IS NOT NULL')).toEqual([])
  expect(
    await query('SELECT count(*)::integer AS settled FROM deliveries WHERE hook_id = ANY ($1)', hooks),
  ).toEqual([{ settled: sentByThen }])
  await startWorker()
  await receiver.until(() => ofEvents(ids).length >= 1_600, 60_000)
  await expect
    .poll(() => query('SELECT FROM work WHERE hook_id = ANY ($1)', hooks), { timeout: 30_000 })
    .toEqual([])
  const pairs = ofEvents(ids).map((r) => `${String(r.headers['webhook-id'])} ${r.url}`)
  expect([pairs.length, new Set(pairs).size]).toEqual([1_600, 1_600])
})

function slowRequests(): number {
  return receiver.requests.filter(({ url }) => url.startsWith('/slow')).length
}

/** Keeps a table from everybody for as long as an act takes. */
async function whileLocked(table: string, act: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: world.database.url.href })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  try {
    await act()
  } finally {
    await client.end()
  }
}

async function failedRoutes(worker: ServiceProcess, count: number): Promise<void> {
  await expect
    .poll(() => worker.output().split('work could not be taken').length - 1, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count)
}

test('a worker has all its places again after the database was away', async () => {
  const account = await world.account()
  await register(account, '/after-outage')
  const worker = await startWorker({ CONCURRENCY: '2' })
  const first = await gateway.event(account.accountId)
  await receiver.until(() => ofEvents([first]).length === 1, 30_000)
  let ids: string[] = []
  await whileLocked('work', async () => {
    ids = (await gateway.handIn(...[1, 2, 3, 4].map(() => inboundSms(account.accountId)))).accepted
    await failedRoutes(worker, 2)
  })
  await receiver.until(() => ofEvents(ids).length === 4, 30_000)
  expect(ids).toHaveLength(4)
})

test('a database that is away is no try of an event', async () => {
  const account = await world.account()
  await register(account, '/no-try')
  const worker = await startWorker()
  const first = await gateway.event(account.accountId)
  await receiver.until(() => ofEvents([first]).length === 1, 30_000)
  let event = ''
  await whileLocked('work', async () => {
    event = await gateway.event(account.accountId)
    await expect
      .poll(() => query('UPDATE inbox SET tries = 5 WHERE tries = 1 RETURNING tries'), { timeout: 30_000 })
      .toEqual([{ tries: 5 }])
    await failedRoutes(worker, 2)
  })
  await receiver.until(() => ofEvents([event]).length === 1, 30_000)
  expect(await query('SELECT reason FROM parked WHERE event_id = $1', event)).toEqual([])
})

test('a worker with a single place still takes fresh events and retries in turn', async () => {
  const account = await world.account()
  const hook = await register(account, '/fails/single')
  await startWorker({ CONCURRENCY: '1' })
  const ids: string[] = []
  for (let turn = 1; turn <= 3; turn++) {
    ids.push(await gateway.event(account.accountId))
    await receiver.until(
      () => new Set(ofEvents(ids).map((r) => r.headers['webhook-id'])).size === turn,
      30_000,
    )
    const before = ofEvents(ids).length
    await expect
      .poll(
        async () => {
          // So that no breaker opens: this is about places.
          await query('DELETE FROM hook_failures WHERE hook_id = $1', hook)
          // Again and again: settling what is still under way sets its own time.
          await query('UPDATE work SET due_at = now() WHERE hook_id = $1', hook)
          await query('UPDATE lane SET due_at = now() WHERE hook_id = $1', hook)
          return ofEvents(ids).length
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(before)
  }
  expect(ids).toHaveLength(3)
})
