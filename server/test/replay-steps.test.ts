/** Single steps of replays, on a ledger written by hand and without workers, so that nothing else moves. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { dayMs } from '../src/model/day.ts'
import { makePartitions } from '../src/pipeline/ledger/partitions.ts'
import { type FindDeliveries, stepReplay } from '../src/pipeline/replay.ts'
import { runReplays } from '../src/pipeline/run-replays.ts'
import { claimDue } from '../src/pipeline/work/claim.ts'
import { cancelForDeletedHooks, dropHeld, expireBefore } from '../src/pipeline/work/finish.ts'
import { call } from './call.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

vi.setConfig({ testTimeout: 60_000 })

let world: TestWorld
beforeAll(async () => {
  world = await startWorld({}, 'api')
})
afterAll(() => world.close())
/** What a test has left does not come before what the next one looks at. */
beforeEach(async () => {
  await query('UPDATE replays SET finished_at = now() WHERE finished_at IS NULL')
  await query('DELETE FROM work')
  await query('DELETE FROM lane')
})

function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(text, values)
}

async function post({ key }: TestAccount, path: string, json: object = {}) {
  return (await call(`${world.url}/api${path}`, { method: 'POST', key, json })).json
}

async function register(account: TestAccount): Promise<number> {
  const target_url = `https://${randomUUID()}.example.com/`
  return (await post(account, '/hooks', { target_url, event_type: 'sms_mo' })).id
}

/** Events of so many days ago that were delivered. */
async function ended(
  { accountId }: TestAccount,
  hook: number,
  count: number,
  daysAgo = 0,
): Promise<string[]> {
  const rows = await query<{ event_id: string }>(
    `WITH made AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at
       FROM (SELECT now() - make_interval(days => $4) AS at FROM generate_series(1, $3)) AS times RETURNING id
     )
     INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
     SELECT $1, id, $2, 1, 'delivered', 'delivered', 1 FROM made RETURNING event_id`,
    accountId,
    hook,
    count,
    daysAgo,
  )
  return rows.map(({ event_id }) => event_id)
}

async function start(account: TestAccount, selection: object, most_per_second = 1_000): Promise<number> {
  return (await post(account, '/replays', { selection, most_per_second })).replay.id
}

function named(hook: number, events: readonly string[]): object {
  return { deliveries: events.map((event_id) => ({ event_id, hook_id: hook })) }
}

interface Job {
  state: string
  started: number
  skipped: number
  delivered: number
  failed: number
  counted_at: Date | null
  finished_at: Date | null
  /** Milliseconds until its next step. */
  waits: number
}

async function job(id: number): Promise<Job> {
  const [row] = await query<Job>(
    `SELECT *, (extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS waits FROM replays WHERE id = $1`,
    id,
  )
  if (row === undefined) throw new Error('there is no such job')
  return row
}

const nothing: FindDeliveries = async () => ({ deliveries: [], next: null })

/** As a worker does it, whatever its time. */
async function step(id: number, find: FindDeliveries = nothing): Promise<void> {
  await query(`UPDATE replays SET next_at = CASE WHEN id = $1 THEN now() ELSE 'infinity' END`, id)
  expect(await stepReplay({ db: world.db, find, keptFrom: () => new Date(0) }, [])).toBeGreaterThan(0)
}

function workOf(id: number, which = 'true'): Promise<object[]> {
  return query(`SELECT FROM work WHERE replay_id = $1 AND ${which}`, id)
}

test('a replay whose steps fail keeps no other from its own', async () => {
  const [broken, fine] = [await world.account(), await world.account()]
  const hooks = [await register(broken), await register(fine)] as const
  const events = [await ended(broken, hooks[0], 3), await ended(fine, hooks[1], 3)] as const
  await query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'this step fails'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON work FOR EACH ROW WHEN (NEW.account_id = ${broken.accountId}) EXECUTE FUNCTION fail()`)
  const failing = await start(broken, named(hooks[0], events[0]))
  const working = await start(fine, named(hooks[1], events[1]))
  // The one that fails comes first.
  await query(`UPDATE replays SET next_at = now() - interval '1 hour' WHERE id = $1`, failing)
  const errors: unknown[] = []
  const stop = runReplays(world.db, 30, (error) => errors.push(error))
  try {
    await expect.poll(async () => (await job(working)).started, { timeout: 15_000 }).toBe(3)
    await expect
      .poll(() => errors.map(String), { timeout: 15_000 })
      .toEqual([expect.stringContaining('this step fails')])
    expect(await job(failing)).toMatchObject({ state: 'running', started: 0 })
  } finally {
    await stop()
    await query('DROP TRIGGER fail ON work; DROP FUNCTION fail()')
  }
  // Nothing of it is lost: its time comes again, though not at once.
  const { waits } = await job(failing)
  expect(waits).toBeGreaterThan(0)
  expect(waits).toBeLessThan(20_000)
  await step(failing)
  expect(await job(failing)).toMatchObject({ started: 3, skipped: 0 })
})

test('accounts take turns, however many replays one of them has', async () => {
  const [busy, other] = [await world.account(), await world.account()]
  for (let count = 0; count < 3; count++) await start(busy, { search: {} })
  await start(other, { search: {} })
  const parts = { db: world.db, find: nothing, keptFrom: () => new Date(0) }
  const served: number[] = []
  for (let account = await stepReplay(parts, served); account !== undefined;)
    account = served.push(account) < 10 ? await stepReplay(parts, served) : undefined
  expect(served).toEqual([busy.accountId, other.accountId])
})

test('a step holds no lock while it searches, and what was changed meanwhile is left as it is', async () => {
  const account = await world.account()
  const hook = await register(account)
  const events = await ended(account, hook, 5)
  const deliveries = events.map((eventId) => ({ eventId, hookId: hook }))
  const id = await start(account, { search: { hook_id: hook } })
  let searches = 0
  const look: FindDeliveries = async () => {
    searches += 1
    const locks = `SELECT mode FROM pg_locks WHERE relation = 'replays'::regclass AND pid <> pg_backend_pid()`
    expect(await query(locks)).toEqual([])
    return { deliveries, next: null }
  }
  await step(id, look)
  expect(await job(id)).toMatchObject({ state: 'running', total: 5 })
  await step(id, async () => {
    const { replay } = await post(account, `/replays/${id}/pause`)
    expect(replay.state).toBe('paused')
    return { deliveries, next: null }
  })
  expect(await job(id)).toMatchObject({ state: 'paused', started: 0 })
  expect(await workOf(id)).toEqual([])
  await post(account, `/replays/${id}/resume`)
  await step(id, look)
  expect(await job(id)).toMatchObject({ state: 'running', started: 5 })
  expect(searches).toBe(2)
})

test('a paused replay is counted while something of it is under way, and then neither counted nor looked at again and again', async () => {
  const account = await world.account()
  const hook = await register(account)
  const id = await start(account, named(hook, await ended(account, hook, 4)))
  await step(id)
  const { deliveries } = await claimDue(world.db, 1, { id: randomUUID(), seconds: 60 }, nobodyIsFull)
  expect(deliveries).toHaveLength(1)
  await post(account, `/replays/${id}/pause`)
  await step(id)
  expect((await job(id)).waits).toBeLessThan(1_500)
  expect((await job(id)).counted_at).toBe(null)
  // It comes back to be tried again; another one ended meanwhile.
  await query(
    `UPDATE work SET lease = NULL, lease_until = NULL, due_at = now() WHERE replay_id = $1 AND lease IS NOT NULL`,
    id,
  )
  await endOne(id)
  await step(id)
  expect(await workOf(id, `due_at < 'infinity'`)).toEqual([])
  const counted = await job(id)
  expect(counted).toMatchObject({ state: 'paused', started: 4, delivered: 1, counted_at: expect.any(Date) })
  await step(id)
  const still = await job(id)
  expect(still.waits).toBeGreaterThan(50_000)
  expect(still.counted_at).toEqual(counted.counted_at)
})

const nobodyIsFull = { hooks: [], accounts: [], hosts: [] }

/** As the settlement of an attempt does it. */
async function endOne(id: number): Promise<void> {
  await query(
    `WITH one AS (DELETE FROM work WHERE event_id = (SELECT event_id FROM work WHERE replay_id = $1 LIMIT 1) RETURNING *)
     INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id)
     SELECT account_id, event_id, hook_id, round, 'delivered', 'delivered', 1, replay_id FROM one`,
    id,
  )
}

test('from its cancellation on nothing of a large replay can be claimed', async () => {
  const account = await world.account()
  const hook = await register(account)
  const events = await ended(account, hook, 3_000)
  const id = await start(account, { search: { hook_id: hook } })
  // Begun already, more than one statement ends.
  await query(
    `WITH added AS (
       INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, replay_id)
       SELECT $1, $2, unnest($3::uuid[]), 2, 'sms_mo', now(), now(), $4 RETURNING hook_id
     ), turn AS (INSERT INTO lane (account_id, hook_id, due_at) VALUES ($1, $2, now()))
     UPDATE replays SET state = 'running', is_read = true, total = 3000, started = 3000 WHERE id = $4`,
    account.accountId,
    hook,
    events,
    id,
  )
  const { replay } = await post(account, `/replays/${id}/cancel`)
  expect(replay.state).toBe('cancelled')
  const claimed = await claimDue(world.db, 16, { id: randomUUID(), seconds: 60 }, nobodyIsFull)
  expect(claimed.deliveries).toEqual([])
  for (let count = 0; count < 5; count++) {
    await step(id)
    if ((await workOf(id)).length > 0) expect((await job(id)).waits).toBeLessThan(100)
    if ((await job(id)).finished_at !== null) break
  }
  expect(await job(id)).toMatchObject({ finished_at: expect.any(Date), delivered: 0, failed: 3_000 })
  expect(await workOf(id)).toEqual([])
})

test('what is about to leave the ledger is not begun again', async () => {
  const account = await world.account()
  const hook = await register(account)
  const oldest = new Date(Date.now() + 60 * 60_000 - 30 * dayMs)
  await makePartitions(world.db, oldest.getTime() - dayMs)
  const old = await ended(account, hook, 1, 31)
  const kept = await ended(account, hook, 1, 29)
  const jobs = [
    await start(account, named(hook, [...old, ...kept])),
    await start(account, { search: { hook_id: hook } }),
  ]
  const stop = runReplays(world.db, 30, (error) => {
    throw error
  })
  try {
    for (const id of jobs)
      await expect
        .poll(async () => {
          const { started, skipped } = await job(id)
          return started + skipped
        })
        .toBe(2)
  } finally {
    await stop()
  }
  expect(await query('SELECT event_id FROM work WHERE hook_id = $1', hook)).toEqual([{ event_id: kept[0] }])
})

test('work whose day has left the ledger is ended with the rest, and keeps no other from its end', async () => {
  const account = await world.account()
  const hook = await register(account)
  const [event = ''] = await ended(account, hook, 1)
  const lost = async (which: string): Promise<void> => {
    await query(
      `INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, held)
       SELECT $1, $2, id, 2, 'sms_mo', now(), now(), $4
       FROM unnest(ARRAY[$3::uuid, uuid_v7(now() - interval '300 days')]) AS events (id)`,
      account.accountId,
      hook,
      event,
      which === 'held',
    )
  }
  const workOfHook = () => query('SELECT FROM work WHERE hook_id = $1', hook)
  const second = () =>
    query('DELETE FROM deliveries WHERE hook_id = $1 AND round = 2 RETURNING reason, state', hook)

  await lost('held')
  expect(await dropHeld(world.db, account.accountId, hook)).toBe(2)
  expect(await second()).toEqual([{ state: 'cancelled', reason: 'dropped_by_owner' }])

  await lost('waiting')
  expect(await expireBefore(world.db, new Date(Date.now() - 200 * dayMs))).toBe(1)
  expect(await second()).toEqual([])
  await query('DELETE FROM work WHERE hook_id = $1', hook)

  await lost('waiting')
  await call(`${world.url}/api/hooks`, { method: 'DELETE', key: account.key, json: { id: hook } })
  await cancelForDeletedHooks(world.db)
  expect(await workOfHook()).toEqual([])
  expect(await second()).toEqual([{ state: 'cancelled', reason: 'hook_deleted' }])
})
