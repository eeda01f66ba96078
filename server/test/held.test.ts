/** What a disabled webhook held, and all the ways to have it delivered: nothing of it stays behind, and no job is made twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call, type CallAnswer } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
/** How each path is answered; 204 at once unless something else is said. */
const answers = new Map<string, () => Promise<number>>()

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver(async (request, response) => {
    response.statusCode = (await answers.get(request.url)?.()) ?? 204
    response.end()
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function post({ key }: TestAccount, path: string, json: object = {}): Promise<CallAnswer> {
  return call(`${world.url}/api${path}`, { method: 'POST', key, json })
}

function register(account: TestAccount, path: string): Promise<CallAnswer> {
  const hook = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
  return post(account, '/hooks', hook)
}

/** A disabled webhook that holds so many events; answers its id and theirs. */
async function holding(account: TestAccount, path: string, count: number): Promise<[number, string[]]> {
  const { id } = (await register(account, path)).json
  await post(account, `/hooks/${id}/disable`)
  const events = Array.from({ length: count }, () => inboundSms(account.accountId))
  const { accepted } = await gateway.handIn(...events)
  await expect.poll(() => workOf(id, 'held'), { timeout: 30_000 }).toHaveLength(count)
  return [id, accepted.toSorted()]
}

function workOf(hook: number, which = 'true'): Promise<object[]> {
  return world.database.query(`SELECT FROM work WHERE hook_id = $1 AND ${which}`, [hook])
}

function jobsOf(account: TestAccount): Promise<Array<{ id: number; state: string; total: number }>> {
  return world.database.query('SELECT id, state, total FROM replays WHERE account_id = $1 ORDER BY id', [
    account.accountId,
  ])
}

function arrived(path: string): string[] {
  return receiver
    .at(path)
    .map(({ headers }) => String(headers['webhook-id']))
    .toSorted()
}

async function untilState(account: TestAccount, id: number, state: string) {
  const replay = async () => (await call(`${world.url}/api/replays/${id}`, { key: account.key })).json.replay
  await expect.poll(async () => (await replay()).state, { timeout: 60_000 }).toBe(state)
  return replay()
}

function slowly(path: string, ms: number): void {
  answers.set(path, async () => {
    await sleep(ms)
    return 204
  })
}

test('what was held, paused and cancelled is delivered when the webhook is enabled again', async () => {
  const account = await world.account()
  const [hook, events] = await holding(account, '/parked', 200)
  slowly('/parked', 300)
  const first = await post(account, `/hooks/${hook}/enable`)
  await receiver.until(() => receiver.at('/parked').length > 5, 30_000)
  await post(account, `/replays/${first.json.replay_id}/pause`)
  expect((await workOf(hook, `due_at = 'infinity'`)).length).toBeGreaterThan(0)
  await post(account, `/replays/${first.json.replay_id}/cancel`)
  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json.held).toBeGreaterThan(0)
  await untilState(account, second.json.replay_id, 'done')
  await expect.poll(() => workOf(hook), { timeout: 30_000 }).toEqual([])
  expect(arrived('/parked')).toEqual(events)
})

test('a disabled webhook that is registered again is enabled, and gets what it held', async () => {
  const account = await world.account()
  const [hook, events] = await holding(account, '/registered', 30)
  await world.database.query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
     VALUES ($1, $2, now() - interval '118 hours', 40)`,
    [account.accountId, hook],
  )
  const again = await register(account, '/registered')
  expect(again.status).toBe(200)
  expect(again.json).toEqual({ success: true, code: null, id: hook, error_message: null })
  expect(await world.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [hook])).toEqual([])
  const [job] = await jobsOf(account)
  expect(job).toMatchObject({ total: 30 })
  expect(await untilState(account, job?.id ?? 0, 'done')).toMatchObject({
    kind: 'held',
    created_by: `key:${account.keyId}`,
    delivered: 30,
    failed: 0,
  })
  expect(arrived('/registered')).toEqual(events)
  expect(await workOf(hook)).toEqual([])
  // Enabled it is as before: it answers the same and does nothing.
  expect((await register(account, '/registered')).json).toEqual(again.json)
  expect(await jobsOf(account)).toHaveLength(1)
})

test('a webhook is not enabled without the job for what it holds', async () => {
  const account = await world.account()
  const [hook, events] = await holding(account, '/together', 3)
  await world.database.query(`
    CREATE FUNCTION no_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no job'; END $$;
    CREATE TRIGGER no_job BEFORE INSERT ON replays FOR EACH ROW EXECUTE FUNCTION no_job()`)
  const isEnabled = () => world.database.query('SELECT enabled FROM hooks WHERE id = $1', [hook])
  try {
    expect((await register(account, '/together')).status).toBe(500)
    expect(await isEnabled()).toEqual([{ enabled: false }])
    expect((await post(account, `/hooks/${hook}/enable`)).status).toBe(500)
    expect(await isEnabled()).toEqual([{ enabled: false }])
  } finally {
    await world.database.query('DROP TRIGGER no_job ON replays; DROP FUNCTION no_job()')
  }
  await register(account, '/together')
  await expect.poll(() => arrived('/together'), { timeout: 30_000 }).toEqual(events)
})

test('however often a webhook is enabled, one job delivers what it holds', async () => {
  const account = await world.account()
  const [hook, events] = await holding(account, '/once', 300)
  slowly('/once', 200)
  const enable = () => post(account, `/hooks/${hook}/enable`)
  const answered = await Promise.all([enable(), enable(), enable()])
  const [{ id } = { id: 0 }] = await jobsOf(account)
  expect(answered.map(({ json }) => json.replay_id)).toEqual([id, id, id])
  for (let times = 0; times < 3; times++) {
    await post(account, `/replays/${id}/pause`)
    expect((await enable()).json.replay_id).toBe(id)
    expect(await jobsOf(account)).toMatchObject([{ id, state: 'running' }])
  }
  // Disabled while it is paused, it holds what was parked; what comes in the meantime is the same job's.
  await post(account, `/replays/${id}/pause`)
  await post(account, `/hooks/${hook}/disable`)
  await expect.poll(() => workOf(hook, 'NOT held'), { timeout: 30_000 }).toEqual([])
  const late = await gateway.event(account.accountId)
  await expect.poll(() => workOf(hook, `held AND event_id = '${late}'`), { timeout: 30_000 }).toHaveLength(1)
  expect((await enable()).json.replay_id).toBe(id)
  expect(await untilState(account, id, 'done')).toMatchObject({ total: 301, started: 301, delivered: 301 })
  expect(arrived('/once')).toEqual([...events, late].toSorted())
  expect(await jobsOf(account)).toHaveLength(1)
  expect(await workOf(hook)).toEqual([])
})

/** The first call is answered after a while, with a failure; all others are fine. */
function failsLateOnce(path: string, ms: number): void {
  let calls = 0
  answers.set(path, async () => {
    calls += 1
    if (calls > 1) return 204
    await sleep(ms)
    return 500
  })
}

test('what comes back from a cancelled job is delivered though nothing was held when the webhook was enabled', async () => {
  const account = await world.account()
  const [hook, events] = await holding(account, '/back', 1)
  failsLateOnce('/back', 6_000)
  const first = await post(account, `/hooks/${hook}/enable`)
  await receiver.until(() => receiver.at('/back').length > 0, 30_000)
  await post(account, `/hooks/${hook}/disable`)
  await untilState(account, first.json.replay_id, 'cancelled')
  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json).toMatchObject({ held: 0, replay_id: null })
  await expect.poll(() => arrived('/back').length, { timeout: 30_000 }).toBe(2)
  expect(new Set(arrived('/back'))).toEqual(new Set(events))
  await expect.poll(() => workOf(hook), { timeout: 30_000 }).toEqual([])
})

test('enabling a webhook that held nothing is no replay to be told of', async () => {
  const account = await world.account()
  const { json } = await register(account, '/nothing')
  await post(account, `/hooks/${json.id}/disable`)
  expect((await post(account, `/hooks/${json.id}/enable`)).json).toMatchObject({ held: 0, replay_id: null })
  const listed = async () => (await call(`${world.url}/api/replays`, { key: account.key })).json.replays
  expect(await listed()).toEqual([])
  await expect.poll(async () => (await jobsOf(account))[0]?.state, { timeout: 30_000 }).toBe('done')
  expect(await listed()).toEqual([])
})

test('what comes back from a cancelled job is delivered by the one that follows it', async () => {
  const account = await world.account()
  const [hook, events] = await holding(account, '/late', 1)
  failsLateOnce('/late', 8_000)
  const first = await post(account, `/hooks/${hook}/enable`)
  await receiver.until(() => receiver.at('/late').length > 0, 30_000)
  await post(account, `/replays/${first.json.replay_id}/cancel`)
  // Something else is held, so that there is a job to follow.
  await post(account, `/hooks/${hook}/disable`)
  const other = await gateway.event(account.accountId)
  await expect.poll(() => workOf(hook, 'held'), { timeout: 30_000 }).toHaveLength(1)
  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json.held).toBe(1)
  await untilState(account, second.json.replay_id, 'done')
  expect(new Set(arrived('/late'))).toEqual(new Set([...events, other]))
  expect(await workOf(hook)).toEqual([])
})
