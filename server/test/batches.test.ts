/**
 * Whatever is written in batches: one item that PostgreSQL refuses fails alone, and the others are written. On real
 * PostgreSQL; what it refuses is planted by the test, since callers cannot send it.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, isRefused } from '../src/db/database.ts'
import { createDeliveryHooks } from '../src/hooks/delivery-hooks.ts'
import { collectUsage } from '../src/identity/keys/usage.ts'
import type { Event } from '../src/model/event.ts'
import { createBatcher, runIsolated } from '../src/ops/batch.ts'
import { systemClock } from '../src/ops/clock.ts'
import { createLog } from '../src/ops/log.ts'
import { createMetrics } from '../src/ops/metrics.ts'
import { createAccept } from '../src/pipeline/accept.ts'
import { createAttempts } from '../src/pipeline/attempts.ts'
import type { Send } from '../src/pipeline/dispatch/send.ts'
import { createBacklogQuota } from '../src/pipeline/intake/backlog.ts'
import { newLease } from '../src/pipeline/lease.ts'
import { route } from '../src/pipeline/route.ts'
import { createSlots } from '../src/pipeline/slots.ts'
import { createWorkStore } from '../src/pipeline/work/work-store.ts'
import { call } from './call.ts'
import { inboundSms } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

vi.setConfig({ testTimeout: 60_000 })

let world: TestWorld
let db: Database
let accountId: number

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  ;({ db } = world)
  accountId = (await world.account()).accountId
})
afterAll(() => world.close())

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(sql, values)
}

async function newAccount(): Promise<number> {
  return (await world.account()).accountId
}

/** Makes a table refuse rows, as it refuses values that it cannot hold. */
async function refuseRows(table: string, when: string, code = '22021'): Promise<void> {
  await query(`
    CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF ${when} THEN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`)
  await query(
    `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_${table}()`,
  )
}

test('a batcher finds the refused items by halves and runs the others', async () => {
  const runs: number[][] = []
  const double = createBatcher(
    async (items: number[]) => {
      runs.push(items)
      if (items.some((item) => item % 50 === 7)) throw new Error('refused')
      return items.map((item) => item * 2)
    },
    { mostItems: 100, mostRuns: 1, isRefusal: () => true },
  )
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, item) => double(item)))
  expect(results.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([7, 57])
  expect(results[8]).toEqual({ status: 'fulfilled', value: 16 })
  expect(runs.length).toBeLessThan(30)
})

test('a batcher does not repeat a batch that cannot be run now', async () => {
  let runs = 0
  const fail = createBatcher(
    async (): Promise<number[]> => {
      runs++
      throw new Error('unavailable')
    },
    { mostItems: 100, mostRuns: 1, isRefusal: () => false },
  )
  const results = await Promise.allSettled([fail(1), fail(2), fail(3)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(1)
})

test('a batch that returns too little fails what it left out', async () => {
  const results = await runIsolated(async () => [1], [1, 2], isRefused)
  expect(results).toEqual([{ status: 'fulfilled', value: 1 }])
  const short = createBatcher(async (items: number[]) => items.slice(1), {
    mostItems: 2,
    mostRuns: 1,
    isRefusal: isRefused,
  })
  expect((await Promise.allSettled([short(1), short(2)])).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
  ])
})

test('intake commits the good events of a batch and rejects the one that cannot be stored', async () => {
  await refuseRows('events', `NEW.data LIKE '%cannot be stored%'`)
  const announced: Event[] = []
  const accept = createAccept({
    db,
    limits: { eventsPerCall: 500, eventBytes: 1_000 },
    isOverQuota: async () => false,
    announce: (events) => announced.push(...events),
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
      message: 'The event holds a value that cannot be stored.',
    })),
  )
  const stored = await query<{ id: string }>('SELECT id FROM events WHERE account_id = $1', accountId)
  expect(stored.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted())
  expect(announced.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted())
})

test('counting what waits goes on for other accounts when one id is refused', async () => {
  const isOverQuota = createBacklogQuota(db, 10, Date.now)
  const results = await Promise.allSettled([accountId, 2 ** 40, await newAccount()].map(isOverQuota))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

async function insertEvent(account: number): Promise<Event> {
  const [row] = await query<{ id: string; accepted_at: Date }>(
    `WITH made AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       VALUES ($1, uuid_v7(now()), 'sms_mo', '{}', 1, now()) RETURNING id, accepted_at
     ), fresh AS (INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM made)
     SELECT * FROM made`,
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

test('the route commit routes the good events of a batch and leaves the refused one in the inbox', async () => {
  const account = await newAccount()
  const events = [await insertEvent(account), await insertEvent(account), await insertEvent(account)]
  await refuseRows('routes', `NEW.event_id = '${events[1]?.id}'`)
  const unroutable: string[] = []
  await route(
    {
      store: createWorkStore(db),
      hooks: createDeliveryHooks(db, world.vault),
      lease: newLease(systemClock),
      slots: createSlots({ total: 10, ofHook: 10, ofAccount: 10 }, systemClock.monotonic),
      isHoldFull: async () => false,
      onUnroutable: (event) => unroutable.push(event.id),
      onTooExpensive: () => {},
    },
    events.map((event) => ({ event, tries: 1 })),
    'quick',
  )
  expect(unroutable).toEqual([events[1]?.id])
  const left = await query<{ event_id: string }>('SELECT event_id FROM inbox WHERE account_id = $1', account)
  expect(left.map(({ event_id }) => event_id)).toEqual(unroutable)
  expect(await query('SELECT FROM routes WHERE account_id = $1', account)).toHaveLength(2)
})

const respond: Send = async ({ url }) => ({
  reason: url.endsWith('working') ? 'delivered' : 'status',
  // No response has a status that fits no column: this stands for whatever else is refused.
  status: url.endsWith('unstorable') ? 70_000 : 500,
  timings: { totalMs: 1 },
})

test('settling writes down the good deliveries of a batch, and the failures of the good hooks', async () => {
  const { accountId: account, key } = await world.account()
  const hookIds: number[] = []
  for (const name of ['failing', 'uncountable', 'unstorable', 'working']) {
    const form = { target_url: `http://127.0.0.1:9/${name}`, event_type: 'sms_mo', request_method: 'JSON' }
    hookIds.push((await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json.id)
  }
  const [failing, uncountable, unstorable, working] = hookIds
  // It has failed as often as the column can hold.
  await query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts) VALUES ($1, $2, now(), 2147483647)`,
    account,
    uncountable,
  )
  const lease = newLease(systemClock)
  const slots = createSlots({ total: 100, ofHook: 100, ofAccount: 100 }, systemClock.monotonic)
  const hooks = createDeliveryHooks(db, world.vault)
  const attempts = createAttempts(
    {
      store: createWorkStore(db),
      hooks,
      send: respond,
      clock: systemClock,
      log: createLog('silent'),
      metrics: createMetrics(),
      disableGone: async () => {},
    },
    randomUUID(),
    slots,
  )
  await hooks.load([account])
  for (const hookId of hookIds) {
    const event = await insertEvent(account)
    await query(
      `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, lease, lease_until)
       VALUES ($1, $2, $3, 'sms_mo', now(), now(), $4, now() + interval '30 seconds')`,
      account,
      hookId,
      event.id,
      lease.id,
    )
    const slot = slots.reserve(account, { id: hookId, host: '', mostPerSecond: null }, 'due')
    if (typeof slot === 'string') throw new Error(slot)
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

test('use of credentials is written down for all but the refused ones, and those are not kept', async () => {
  const errors: unknown[] = []
  const usage = collectUsage(db, (error) => errors.push(error))
  const good = await newAccount()
  const caller = { scopes: [], ip: '127.0.0.1' }
  // There is no such account, so its row would refer to nothing.
  for (const account of [good, 999_999, accountId])
    usage.record({ ...caller, accountId: account, kind: 'parameter-key' } as never)
  await usage.stop()
  expect(await query('SELECT account_id FROM deprecated_uses ORDER BY account_id')).toEqual(
    [good, accountId].toSorted((a, b) => a - b).map((account_id) => ({ account_id })),
  )
  expect(errors).toHaveLength(1)
})
