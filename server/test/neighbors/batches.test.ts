/**
 * Tests batched writes. An item that PostgreSQL rejects fails alone, and the others are written. The tests use real
 * PostgreSQL and plant rejected values, because callers cannot send them.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, isRejected } from '../../src/db/database.ts'
import { createHookCache, type HookCache } from '../../src/hooks/hook-cache.ts'
import { createUsageTracker } from '../../src/identity/keys/usage.ts'
import type { Event } from '../../src/model/event.ts'
import { createBatcher, runIsolated } from '../../src/runtime/batch.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { noTracing } from '../../src/runtime/tracing.ts'
import { createAccept } from '../../src/delivery/accept.ts'
import { type AttemptRunner, createAttemptRunner } from '../../src/delivery/attempt-runner.ts'
import type { Send } from '../../src/delivery/transport/send.ts'
import { createBacklogQuota } from '../../src/delivery/intake/backlog-quota.ts'
import { currentForMs, newLease } from '../../src/delivery/queue/lease.ts'
import { route } from '../../src/delivery/route.ts'
import { createSlots, type Slot, type Slots } from '../../src/delivery/slots.ts'
import { createDeliveryQueue } from '../../src/delivery/queue/queue.ts'
import { builtInTypes } from '../support/built-in-types.ts'
import { call } from '../support/http-call.ts'
import { inboundSms } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let db: Database
let accountId: number

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  ;({ db } = hookline)
  accountId = (await hookline.account()).accountId
})
afterAll(() => hookline.close())

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(sql, values)
}

async function newAccount(): Promise<number> {
  return (await hookline.account()).accountId
}

/** Makes a table reject rows, as for values that it cannot store. */
async function rejectRows(table: string, when: string, code = '22021'): Promise<void> {
  await query(`
    CREATE FUNCTION reject_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF ${when} THEN RAISE EXCEPTION 'rejected' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`)
  await query(
    `CREATE TRIGGER reject BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION reject_${table}()`,
  )
}

test('a batcher finds rejected items by bisection and runs the others', async () => {
  const runs: number[][] = []
  const double = createBatcher(
    async (items: number[]) => {
      runs.push(items)
      if (items.some((item) => item % 50 === 7)) throw new Error('rejected')
      return items.map((item) => item * 2)
    },
    { maxBatchSize: 100, maxConcurrentRuns: 1, isRejection: () => true },
  )
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, item) => double(item)))
  expect(results.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([7, 57])
  expect(results[8]).toEqual({ status: 'fulfilled', value: 16 })
  expect(runs.length).toBeLessThan(30)
})

test('a batcher does not repeat a batch that fails as a whole', async () => {
  let runs = 0
  const fail = createBatcher(
    async (): Promise<number[]> => {
      runs++
      throw new Error('unavailable')
    },
    { maxBatchSize: 100, maxConcurrentRuns: 1, isRejection: () => false },
  )
  const results = await Promise.allSettled([fail(1), fail(2), fail(3)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(1)
})

test('a batch with missing results fails the items without a result', async () => {
  const results = await runIsolated(async () => [1], [1, 2], isRejected)
  expect(results).toEqual([{ status: 'fulfilled', value: 1 }])
  const short = createBatcher(async (items: number[]) => items.slice(1), {
    maxBatchSize: 2,
    maxConcurrentRuns: 1,
    isRejection: isRejected,
  })
  expect((await Promise.allSettled([short(1), short(2)])).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
  ])
})

test('intake commits the valid events of a batch and rejects one that cannot be stored', async () => {
  await rejectRows('events', `NEW.data LIKE '%cannot be stored%'`)
  let committed = 0
  const accept = createAccept({
    db,
    limits: { eventsPerCall: 500, eventBytes: 1_000 },
    eventTypes: builtInTypes,
    tracing: noTracing,
    isOverQuota: async () => false,
    clock: systemClock,
    placer: { place: () => undefined, refresh() {} },
    room: { waitMs: () => 0, commitSize: () => undefined },
    onCommitted: () => committed++,
    onError: (error) => expect.unreachable(String(error)),
  })
  const submit = (text: string) => accept(0, JSON.stringify({ events: [inboundSms(accountId, { text })] }))
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, count) => submit(count % 20 === 5 ? 'cannot be stored' : 'fine')),
  )
  const accepted = results.flatMap((result) => result.accepted)
  expect(accepted).toHaveLength(57)
  expect(results.flatMap((result) => result.rejected)).toEqual(
    Array.from({ length: 3 }, () => ({
      index: 0,
      reason: 'parameterInvalid',
      message: 'The event contains a value that cannot be stored.',
    })),
  )
  const stored = await query<{ id: string }>('SELECT id FROM events WHERE account_id = $1', accountId)
  expect(stored.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted())
  expect(committed).toBeGreaterThan(0)
})

test('backlog counts continue for other accounts if one id is rejected', async () => {
  const isOverQuota = createBacklogQuota(db, 10, Date.now)
  const results = await Promise.allSettled([accountId, 2 ** 40, await newAccount()].map(isOverQuota))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

async function insertEvent(account: number): Promise<Event> {
  const [row] = await query<{ id: string; accepted_at: Date }>(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       VALUES ($1, uuid_v7(now()), 'sms_mo', '{}', 1, now()) RETURNING id, accepted_at
     ), fresh AS (INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM created)
     SELECT * FROM created`,
    account,
  )
  return {
    id: row?.id ?? '',
    accountId: account,
    type: 'sms_mo',
    data: '{}',
    acceptedAt: row?.accepted_at ?? new Date(),
  }
}

test('the route commit routes the valid events of a batch and leaves the rejected one in the inbox', async () => {
  const account = await newAccount()
  const events = [await insertEvent(account), await insertEvent(account), await insertEvent(account)]
  await rejectRows('routes', `NEW.event_id = '${events[1]?.id}'`)
  const unroutable: string[] = []
  await route(
    {
      store: createDeliveryQueue(db),
      hooks: createHookCache(db, hookline.vault),
      eventTypes: builtInTypes,
      lease: newLease(systemClock, randomUUID()),
      slots: createSlots({ total: 10, perHook: 10, perAccount: 10 }, systemClock.monotonic),
      isHoldFull: async () => false,
      onUnroutable: (event) => unroutable.push(event.id),
      onTooExpensive: () => {},
    },
    events.map((event) => ({ event, tries: 1 })),
    'quick',
  )
  expect(unroutable).toEqual([events[1]?.id])
  const remaining = await query<{ event_id: string }>(
    'SELECT event_id FROM inbox WHERE account_id = $1',
    account,
  )
  expect(remaining.map(({ event_id }) => event_id)).toEqual(unroutable)
  expect(await query('SELECT FROM routes WHERE account_id = $1', account)).toHaveLength(2)
})

test('routing yields between large events, even without filters', async () => {
  const account = await newAccount()
  const hooks = createHookCache(db, hookline.vault)
  await hooks.load([account])
  const data = JSON.stringify({ text: 'x'.repeat(250_000) })
  const events = await Promise.all(
    Array.from({ length: 20 }, async () => ({ ...(await insertEvent(account)), data })),
  )
  let iterations = 0
  let counting = setImmediate(function count() {
    iterations++
    counting = setImmediate(count)
  })
  const store = createDeliveryQueue(db)
  let iterationsAtCommit = 0
  await route(
    {
      store: {
        ...store,
        commitRoute(...input) {
          iterationsAtCommit = iterations
          return store.commitRoute(...input)
        },
      },
      hooks,
      eventTypes: builtInTypes,
      lease: newLease(systemClock, randomUUID()),
      slots: createSlots({ total: 10, perHook: 10, perAccount: 10 }, systemClock.monotonic),
      isHoldFull: async () => false,
      onUnroutable: () => {},
      onTooExpensive: () => {},
    },
    events.map((event) => ({ event, tries: 1 })),
    'quick',
  )
  clearImmediate(counting)
  expect(iterationsAtCommit).toBeGreaterThanOrEqual(10)
  expect(await query('SELECT FROM inbox WHERE account_id = $1', account)).toEqual([])
})

function createRunner(send: Send, hooks: HookCache, slots: Slots): AttemptRunner {
  return createAttemptRunner(
    {
      store: createDeliveryQueue(db),
      hooks,
      eventTypes: builtInTypes,
      send,
      clock: systemClock,
      log: createLog('silent'),
      metrics: createMetrics(),
      tracing: noTracing,
      receivers: { observe() {} },
      disableGone: async () => {},
    },
    randomUUID(),
    slots,
  )
}

function reserveSlot(slots: Slots, account: number, hookId: number): Slot {
  const slot = slots.reserve(account, { id: hookId, host: '', maxPerSecond: null }, 'due')
  if (typeof slot === 'string') throw new Error(slot)
  return slot
}

async function accountWithHook(request_method: string): Promise<{ account: number; hookId: number }> {
  const { accountId: account, key } = await hookline.account()
  const form = { target_url: 'http://127.0.0.1:9/x', event_type: 'sms_mo', request_method }
  const { json } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
  return { account, hookId: json.id }
}

/** Creates an event that is in no table. */
function createEvent(account: number, data = '{}'): Event {
  return { id: randomUUID(), accountId: account, type: 'sms_mo', data, acceptedAt: new Date() }
}

async function insertLeased(event: Event, hookId: number, lease: string, seconds: number): Promise<void> {
  await query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, lease, lease_until)
     VALUES ($1, $2, $3, 'sms_mo', now(), now(), $4, now() + make_interval(secs => $5))`,
    event.accountId,
    hookId,
    event.id,
    lease,
    seconds,
  )
}

function countingSend(): { send: Send; sent: () => number } {
  let sent = 0
  return {
    send: async () => {
      sent++
      return { reason: 'delivered', status: 200, timings: { totalMs: 1 } }
    },
    sent: () => sent,
  }
}

const respond: Send = async ({ url }) => ({
  reason: url.endsWith('working') ? 'delivered' : 'status',
  // Real responses never have a status outside the column range. This one represents any rejected value.
  status: url.endsWith('unstorable') ? 70_000 : 500,
  timings: { totalMs: 1 },
})

test('settling records the valid deliveries of a batch, and the failures of the valid hooks', async () => {
  const { accountId: account, key } = await hookline.account()
  const hookIds: number[] = []
  for (const name of ['failing', 'uncountable', 'unstorable', 'working']) {
    const form = { target_url: `http://127.0.0.1:9/${name}`, event_type: 'sms_mo', request_method: 'JSON' }
    hookIds.push((await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id)
  }
  const [failing, uncountable, unstorable, working] = hookIds
  // This hook has the maximum failure count of the column.
  await query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts) VALUES ($1, $2, now(), 2147483647)`,
    account,
    uncountable,
  )
  const lease = newLease(systemClock, randomUUID())
  const slots = createSlots({ total: 100, perHook: 100, perAccount: 100 }, systemClock.monotonic)
  const hooks = createHookCache(db, hookline.vault)
  const attempts = createRunner(respond, hooks, slots)
  await hooks.load([account])
  for (const hookId of hookIds) {
    const event = await insertEvent(account)
    await insertLeased(event, hookId, lease.id, 30)
    const slot = reserveSlot(slots, account, hookId)
    attempts.start({ event, hookId, round: 1, attempts: 0, faults: 0, slot }, lease)
  }
  await attempts.whenDone()
  expect(
    await query('SELECT hook_id, attempts, lease FROM work WHERE account_id = $1 ORDER BY hook_id', account),
  ).toEqual([
    { hook_id: failing, attempts: 1, lease: null },
    { hook_id: uncountable, attempts: 1, lease: null },
    { hook_id: unstorable, attempts: 0, lease: lease.id },
  ])
  expect(await query('SELECT hook_id, state FROM deliveries WHERE account_id = $1', account)).toEqual([
    { hook_id: working, state: 'delivered' },
  ])
  expect(
    await query(
      'SELECT hook_id, attempts FROM hook_failures WHERE account_id = $1 ORDER BY hook_id',
      account,
    ),
  ).toEqual([
    { hook_id: failing, attempts: 1 },
    { hook_id: uncountable, attempts: 2147483647 },
  ])
})

test('large events are formatted one per event-loop iteration, small ones immediately', async () => {
  const { account, hookId } = await accountWithHook('POST')
  const hooks = createHookCache(db, hookline.vault)
  await hooks.load([account])
  let iteration = 0
  let counting = setImmediate(function count() {
    iteration++
    counting = setImmediate(count)
  })
  const sentAt = { small: [] as number[], large: [] as number[] }
  const send: Send = async ({ body }) => {
    sentAt[body.length > 2_000 ? 'large' : 'small'].push(iteration)
    return { reason: 'delivered', status: 200, timings: { totalMs: 1 } }
  }
  const slots = createSlots({ total: 100, perHook: 100, perAccount: 100 }, systemClock.monotonic)
  const attempts = createRunner(send, hooks, slots)
  const lease = newLease(systemClock, randomUUID())
  const small = createEvent(account)
  // Short JSON with a value for every other character, which is long as a form.
  const large: Event = { ...small, data: JSON.stringify({ list: Array.from({ length: 600 }, () => 1) }) }
  for (const event of [large, large, large, large, small, small]) {
    const slot = reserveSlot(slots, account, hookId)
    attempts.start({ event, hookId, round: 1, attempts: 0, faults: 0, slot }, lease)
  }
  await attempts.whenDone()
  clearImmediate(counting)
  expect(sentAt.small).toEqual([0, 0])
  expect(sentAt.large).toHaveLength(4)
  expect(new Set(sentAt.large).size).toBe(4)
})

test('an attempt continues if webhooks change while they load and while large events are queued', async () => {
  const { account, hookId } = await accountWithHook('JSON')
  const hooks = createHookCache(db, hookline.vault)
  const { send, sent } = countingSend()
  const slots = createSlots({ total: 100, perHook: 100, perAccount: 100 }, systemClock.monotonic)
  const attempts = createRunner(send, hooks, slots)
  const lease = newLease(systemClock, randomUUID())
  const event = createEvent(account, JSON.stringify({ text: 'x'.repeat(10_000) }))
  for (let count = 0; count < 20; count++) {
    const slot = reserveSlot(slots, account, hookId)
    attempts.start({ event, hookId, round: 1, attempts: 0, faults: 0, slot }, lease)
  }
  const changes = setInterval(() => hooks.invalidate(account), 1)
  await attempts.whenDone()
  clearInterval(changes)
  expect(sent()).toBe(20)
})

test('an attempt continues with webhooks that took longer to load than they count as current', async () => {
  const { account, hookId } = await accountWithHook('JSON')
  const loaded = createHookCache(db, hookline.vault)
  let loads = 0
  const hooks: HookCache = {
    ...loaded,
    async load(accountIds) {
      loads++
      await loaded.load(accountIds)
      await sleep(currentForMs + 100)
    },
  }
  const { send, sent } = countingSend()
  const slots = createSlots({ total: 1, perHook: 1, perAccount: 1 }, systemClock.monotonic)
  const attempts = createRunner(send, hooks, slots)
  const event = createEvent(account)
  const slot = reserveSlot(slots, account, hookId)
  attempts.start(
    { event, hookId, round: 1, attempts: 0, faults: 0, slot },
    newLease(systemClock, randomUUID()),
  )
  await attempts.whenDone()
  expect({ sent: sent(), loads }).toEqual({ sent: 1, loads: 1 })
})

test('a delivery whose lease is about to expire returns to the queue and is not a suspect', async () => {
  const { account, hookId } = await accountWithHook('JSON')
  const hooks = createHookCache(db, hookline.vault)
  const slots = createSlots({ total: 1, perHook: 1, perAccount: 1 }, systemClock.monotonic)
  const lease = { ...newLease(systemClock, randomUUID()), takenAt: systemClock.monotonic() - 29_000 }
  const event = await insertEvent(account)
  await insertLeased(event, hookId, lease.id, 1)
  const attempts = createRunner(respond, hooks, slots)
  const slot = reserveSlot(slots, account, hookId)
  attempts.start({ event, hookId, round: 1, attempts: 0, faults: 0, slot }, lease)
  await attempts.whenDone()
  expect(
    await query('SELECT lease, attempts, due_at <= now() AS is_due FROM work WHERE event_id = $1', event.id),
  ).toEqual([{ lease: null, attempts: 0, is_due: true }])
  expect(await query('SELECT FROM lane WHERE hook_id = $1', hookId)).toHaveLength(1)
})

test('use of credentials is recorded except for rejected rows, which are discarded', async () => {
  const errors: unknown[] = []
  const usage = createUsageTracker(db, (error) => errors.push(error))
  const good = await newAccount()
  const caller = { scopes: [], ip: '127.0.0.1' }
  // This account does not exist, so the row violates its foreign key.
  for (const account of [good, 999_999, accountId])
    usage.record({ ...caller, accountId: account, kind: 'parameter-key' } as never)
  await usage.stop()
  expect(await query('SELECT account_id FROM deprecated_uses ORDER BY account_id')).toEqual(
    [good, accountId].toSorted((a, b) => a - b).map((account_id) => ({ account_id })),
  )
  expect(errors).toHaveLength(1)
})
