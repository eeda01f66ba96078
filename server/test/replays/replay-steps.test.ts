/** Tests single steps of replays with an inserted ledger and without workers, so that nothing else changes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { dayMs } from '../../src/model/day.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { type FindDeliveries, stepReplay } from '../../src/replays/replay-step.ts'
import { runReplays } from '../../src/replays/replay-runner.ts'
import { claimDue } from '../../src/delivery/queue/claim.ts'
import { cancelForDeletedHooks, discardHeld, expireBefore } from '../../src/delivery/queue/finish.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
beforeAll(async () => {
  hookline = await startTestService({}, 'api')
})
afterAll(() => hookline.close())
/** Finishes replays of the previous test, so that they do not come first in the next one. */
beforeEach(async () => {
  await query('UPDATE replays SET finished_at = now() WHERE finished_at IS NULL')
  await query('DELETE FROM work')
  await query('DELETE FROM lane')
})

function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(text, values)
}

async function post({ key }: TestAccount, path: string, json: object = {}) {
  return (await call(`${hookline.url}/api${path}`, { method: 'POST', key, json })).json
}

async function register(account: TestAccount): Promise<number> {
  const target_url = `https://${randomUUID()}.example.com/`
  return (await post(account, '/hooks', { target_url, event_type: 'sms_mo' })).id
}

/** Inserts delivered events that are the given number of days old. */
async function insertDelivered(
  { accountId }: TestAccount,
  hook: number,
  count: number,
  daysAgo = 0,
): Promise<string[]> {
  const rows = await query<{ event_id: string }>(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at
       FROM (SELECT now() - make_interval(days => $4) AS at FROM generate_series(1, $3)) AS times RETURNING id
     )
     INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
     SELECT $1, id, $2, 1, 'delivered', 'delivered', 1 FROM created RETURNING event_id`,
    accountId,
    hook,
    count,
    daysAgo,
  )
  return rows.map(({ event_id }) => event_id)
}

async function start(account: TestAccount, selection: object, max_per_second = 1_000): Promise<number> {
  return (await post(account, '/replays', { selection, max_per_second })).replay.id
}

function selectDeliveries(hook: number, events: readonly string[]): object {
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
  /** Milliseconds until the next step. */
  waits: number
}

async function readJob(id: number): Promise<Job> {
  const [row] = await query<Job>(
    `SELECT *, (extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS waits FROM replays WHERE id = $1`,
    id,
  )
  if (row === undefined) throw new Error('job not found')
  return row
}

const findNothing: FindDeliveries = async () => ({ deliveries: [], next: null })

/** Runs one step like a worker, regardless of its due time. */
async function step(id: number, find: FindDeliveries = findNothing): Promise<void> {
  await query(`UPDATE replays SET next_at = CASE WHEN id = $1 THEN now() ELSE 'infinity' END`, id)
  expect(await stepReplay({ db: hookline.db, find, keptFrom: () => new Date(0) }, [])).toBeGreaterThan(0)
}

function readWork(id: number, condition = 'true'): Promise<object[]> {
  return query(`SELECT FROM work WHERE replay_id = $1 AND ${condition}`, id)
}

test('a replay whose steps fail does not block others', async () => {
  const [broken, healthy] = [await hookline.account(), await hookline.account()]
  const hooks = [await register(broken), await register(healthy)] as const
  const events = [
    await insertDelivered(broken, hooks[0], 3),
    await insertDelivered(healthy, hooks[1], 3),
  ] as const
  await query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'this step fails'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON work FOR EACH ROW WHEN (NEW.account_id = ${broken.accountId}) EXECUTE FUNCTION fail()`)
  const failing = await start(broken, selectDeliveries(hooks[0], events[0]))
  const working = await start(healthy, selectDeliveries(hooks[1], events[1]))
  // The failing one is due first.
  await query(`UPDATE replays SET next_at = now() - interval '1 hour' WHERE id = $1`, failing)
  const errors: unknown[] = []
  const stop = runReplays(hookline.db, 30, (error) => errors.push(error))
  try {
    await expect.poll(async () => (await readJob(working)).started, { timeout: 15_000 }).toBe(3)
    await expect
      .poll(() => errors.map(String), { timeout: 15_000 })
      .toEqual([expect.stringContaining('this step fails')])
    expect(await readJob(failing)).toMatchObject({ state: 'running', started: 0 })
  } finally {
    await stop()
    await query('DROP TRIGGER fail ON work; DROP FUNCTION fail()')
  }
  // Nothing is lost: the step is due again, but not immediately.
  const { waits } = await readJob(failing)
  expect(waits).toBeGreaterThan(0)
  expect(waits).toBeLessThan(20_000)
  await step(failing)
  expect(await readJob(failing)).toMatchObject({ started: 3, skipped: 0 })
})

test('an unfinished replay that no worker continues says so', async () => {
  const account = await hookline.account()
  const hook = await register(account)
  const [event_id] = await insertDelivered(account, hook, 1)
  const { replay } = await post(account, '/replays', {
    selection: { deliveries: [{ event_id, hook_id: hook }] },
  })
  expect(replay.waiting).toEqual([])
  await query(`UPDATE replays SET next_at = now() - interval '30 seconds' WHERE id = $1`, replay.id)
  const { json } = await call(`${hookline.url}/api/replays/${replay.id}`, { key: account.key })
  expect(json.replay.waiting).toEqual([{ reason: 'no_worker', count: 1, hook_id: null }])
})

test('accounts alternate, regardless of their number of replays', async () => {
  const [busy, other] = [await hookline.account(), await hookline.account()]
  for (let count = 0; count < 3; count++) await start(busy, { search: {} })
  await start(other, { search: {} })
  const deps = { db: hookline.db, find: findNothing, keptFrom: () => new Date(0) }
  const served: number[] = []
  for (let account = await stepReplay(deps, served); account !== undefined;)
    account = served.push(account) < 10 ? await stepReplay(deps, served) : undefined
  expect(served).toEqual([busy.accountId, other.accountId])
})

test('a step holds no lock while it searches, and does not overwrite concurrent changes', async () => {
  const account = await hookline.account()
  const hook = await register(account)
  const events = await insertDelivered(account, hook, 5)
  const deliveries = events.map((eventId) => ({ eventId, hookId: hook }))
  const id = await start(account, { search: { hook_id: hook } })
  let searches = 0
  const search: FindDeliveries = async () => {
    searches += 1
    const locks = `SELECT mode FROM pg_locks WHERE relation = 'replays'::regclass AND pid <> pg_backend_pid()`
    expect(await query(locks)).toEqual([])
    return { deliveries, next: null }
  }
  await step(id, search)
  expect(await readJob(id)).toMatchObject({ state: 'running', total: 5 })
  await step(id, async () => {
    const { replay } = await post(account, `/replays/${id}/pause`)
    expect(replay.state).toBe('paused')
    return { deliveries, next: null }
  })
  expect(await readJob(id)).toMatchObject({ state: 'paused', started: 0 })
  expect(await readWork(id)).toEqual([])
  await post(account, `/replays/${id}/resume`)
  await step(id, search)
  expect(await readJob(id)).toMatchObject({ state: 'running', started: 5 })
  expect(searches).toBe(2)
})

test('a paused replay is counted while deliveries are in flight, and afterwards no longer counted nor polled', async () => {
  const account = await hookline.account()
  const hook = await register(account)
  const id = await start(account, selectDeliveries(hook, await insertDelivered(account, hook, 4)))
  await step(id)
  const { deliveries } = await claimDue(hookline.db, 1, { id: randomUUID(), seconds: 60 }, noneFull)
  expect(deliveries).toHaveLength(1)
  await post(account, `/replays/${id}/pause`)
  await step(id)
  expect((await readJob(id)).waits).toBeLessThan(1_500)
  expect((await readJob(id)).counted_at).toBe(null)
  // The delivery in flight returns for a retry. Another one is finished meanwhile.
  await query(
    `UPDATE work SET lease = NULL, lease_until = NULL, due_at = now() WHERE replay_id = $1 AND lease IS NOT NULL`,
    id,
  )
  await finishOne(id)
  await step(id)
  expect(await readWork(id, `due_at < 'infinity'`)).toEqual([])
  const counted = await readJob(id)
  expect(counted).toMatchObject({ state: 'paused', started: 4, delivered: 1, counted_at: expect.any(Date) })
  await step(id)
  const unchanged = await readJob(id)
  expect(unchanged.waits).toBeGreaterThan(50_000)
  expect(unchanged.counted_at).toEqual(counted.counted_at)
})

const noneFull = { hooks: [], accounts: [], hosts: [] }

/** Finishes one delivery, like the settlement of an attempt. */
async function finishOne(id: number): Promise<void> {
  await query(
    `WITH one AS (DELETE FROM work WHERE event_id = (SELECT event_id FROM work WHERE replay_id = $1 LIMIT 1) RETURNING *)
     INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id)
     SELECT account_id, event_id, hook_id, round, 'delivered', 'delivered', 1, replay_id FROM one`,
    id,
  )
}

test('no delivery of a large replay can be claimed after its cancellation', async () => {
  const account = await hookline.account()
  const hook = await register(account)
  const events = await insertDelivered(account, hook, 3_000)
  const id = await start(account, { search: { hook_id: hook } })
  // Already started, and more than one statement finishes.
  await query(
    `WITH added AS (
       INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, replay_id)
       SELECT $1, $2, unnest($3::uuid[]), 2, 'sms_mo', now(), now(), $4 RETURNING hook_id
     ), schedule AS (INSERT INTO lane (account_id, hook_id, due_at) VALUES ($1, $2, now()))
     UPDATE replays SET state = 'running', is_read = true, total = 3000, started = 3000 WHERE id = $4`,
    account.accountId,
    hook,
    events,
    id,
  )
  const { replay } = await post(account, `/replays/${id}/cancel`)
  expect(replay.state).toBe('cancelled')
  const claimed = await claimDue(hookline.db, 16, { id: randomUUID(), seconds: 60 }, noneFull)
  expect(claimed.deliveries).toEqual([])
  for (let count = 0; count < 5; count++) {
    await step(id)
    if ((await readWork(id)).length > 0) expect((await readJob(id)).waits).toBeLessThan(100)
    if ((await readJob(id)).finished_at !== null) break
  }
  expect(await readJob(id)).toMatchObject({ finished_at: expect.any(Date), delivered: 0, failed: 3_000 })
  expect(await readWork(id)).toEqual([])
})

test('events about to leave the ledger are not started again', async () => {
  const account = await hookline.account()
  const hook = await register(account)
  const oldest = new Date(Date.now() + 60 * 60_000 - 30 * dayMs)
  await createPartitions(hookline.db, oldest.getTime() - dayMs)
  const old = await insertDelivered(account, hook, 1, 31)
  const kept = await insertDelivered(account, hook, 1, 29)
  const jobs = [
    await start(account, selectDeliveries(hook, [...old, ...kept])),
    await start(account, { search: { hook_id: hook } }),
  ]
  const stop = runReplays(hookline.db, 30, (error) => {
    throw error
  })
  try {
    for (const id of jobs)
      await expect
        .poll(async () => {
          const { started, skipped } = await readJob(id)
          return started + skipped
        })
        .toBe(2)
  } finally {
    await stop()
  }
  expect(await query('SELECT event_id FROM work WHERE hook_id = $1', hook)).toEqual([{ event_id: kept[0] }])
})

test('work rows whose day has left the ledger are finished with the rest and block no others', async () => {
  const account = await hookline.account()
  const hook = await register(account)
  const [event = ''] = await insertDelivered(account, hook, 1)
  const insertWork = async (state: 'held' | 'waiting'): Promise<void> => {
    await query(
      `INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, held)
       SELECT $1, $2, id, 2, 'sms_mo', now(), now(), $4
       FROM unnest(ARRAY[$3::uuid, uuid_v7(now() - interval '300 days')]) AS events (id)`,
      account.accountId,
      hook,
      event,
      state === 'held',
    )
  }
  const readWorkOfHook = () => query('SELECT FROM work WHERE hook_id = $1', hook)
  const takeSecondRound = () =>
    query('DELETE FROM deliveries WHERE hook_id = $1 AND round = 2 RETURNING reason, state', hook)

  await insertWork('held')
  expect(await discardHeld(hookline.db, account.accountId, hook)).toBe(2)
  expect(await takeSecondRound()).toEqual([{ state: 'cancelled', reason: 'discarded' }])

  await insertWork('waiting')
  expect(await expireBefore(hookline.db, new Date(Date.now() - 200 * dayMs))).toBe(1)
  expect(await takeSecondRound()).toEqual([])
  await query('DELETE FROM work WHERE hook_id = $1', hook)

  await insertWork('waiting')
  await call(`${hookline.url}/api/hooks`, { method: 'DELETE', key: account.key, json: { id: hook } })
  await cancelForDeletedHooks(hookline.db)
  expect(await readWorkOfHook()).toEqual([])
  expect(await takeSecondRound()).toEqual([{ state: 'cancelled', reason: 'hook_deleted' }])
})
