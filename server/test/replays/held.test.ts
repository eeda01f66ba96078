/** Tests all ways to deliver held events of a disabled webhook. No event is left behind, and no job is created twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
/** Responses by path. The default is 204. */
const responses = new Map<string, () => Promise<number>>()

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver(async (request, response) => {
    response.statusCode = (await responses.get(request.url)?.()) ?? 204
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function post({ key }: TestAccount, path: string, json: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

function register(account: TestAccount, path: string): Promise<CallResponse> {
  const hook = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
  return post(account, '/hooks', hook)
}

/** Creates a disabled webhook with held events. Returns its id and the event ids. */
async function createHolding(account: TestAccount, path: string, count: number): Promise<[number, string[]]> {
  const { id } = (await register(account, path)).json
  await post(account, `/hooks/${id}/disable`)
  const events = Array.from({ length: count }, () => inboundSms(account.accountId))
  const { accepted } = await gateway.submitEvents(...events)
  await expect.poll(() => readWork(id, 'held'), { timeout: 30_000 }).toHaveLength(count)
  return [id, accepted.toSorted()]
}

function readWork(hook: number, condition = 'true'): Promise<object[]> {
  return hookline.database.query(`SELECT FROM work WHERE hook_id = $1 AND ${condition}`, [hook])
}

function readJobs(account: TestAccount): Promise<Array<{ id: number; state: string; total: number }>> {
  return hookline.database.query('SELECT id, state, total FROM replays WHERE account_id = $1 ORDER BY id', [
    account.accountId,
  ])
}

function arrivedIds(path: string): string[] {
  return receiver
    .at(path)
    .map(({ headers }) => String(headers['webhook-id']))
    .toSorted()
}

async function untilState(account: TestAccount, id: number, state: string) {
  const replay = async () =>
    (await call(`${hookline.url}/api/replays/${id}`, { key: account.key })).json.replay
  await expect.poll(async () => (await replay()).state, { timeout: 60_000 }).toBe(state)
  return replay()
}

function respondSlowly(path: string, ms: number): void {
  responses.set(path, async () => {
    await sleep(ms)
    return 204
  })
}

test('held events of a paused and canceled replay are delivered when the webhook is enabled again', async () => {
  const account = await hookline.account()
  const [hook, events] = await createHolding(account, '/parked', 200)
  respondSlowly('/parked', 300)
  const first = await post(account, `/hooks/${hook}/enable`)
  await receiver.until(() => receiver.at('/parked').length > 5, 30_000)
  await post(account, `/replays/${first.json.replay_id}/pause`)
  expect((await readWork(hook, `due_at = 'infinity'`)).length).toBeGreaterThan(0)
  await post(account, `/replays/${first.json.replay_id}/cancel`)
  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json.held).toBeGreaterThan(0)
  await untilState(account, second.json.replay_id, 'done')
  await expect.poll(() => readWork(hook), { timeout: 30_000 }).toEqual([])
  expect(arrivedIds('/parked')).toEqual(events)
})

test('registering a disabled webhook again enables it and delivers its held events', async () => {
  const account = await hookline.account()
  const [hook, events] = await createHolding(account, '/registered', 30)
  await hookline.database.query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
     VALUES ($1, $2, now() - interval '118 hours', 40)`,
    [account.accountId, hook],
  )
  const repeated = await register(account, '/registered')
  expect(repeated.status).toBe(200)
  expect(repeated.json).toEqual({ success: true, code: null, id: hook, error_message: null })
  expect(await hookline.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [hook])).toEqual([])
  const [job] = await readJobs(account)
  expect(job).toMatchObject({ total: 30 })
  expect(await untilState(account, job?.id ?? 0, 'done')).toMatchObject({
    kind: 'held',
    created_by: `key:${account.keyId}`,
    delivered: 30,
    failed: 0,
  })
  expect(arrivedIds('/registered')).toEqual(events)
  expect(await readWork(hook)).toEqual([])
  // While the webhook is enabled, registering it again returns the same response and does nothing.
  expect((await register(account, '/registered')).json).toEqual(repeated.json)
  expect(await readJobs(account)).toHaveLength(1)
})

test('a webhook is not enabled without the job for its held events', async () => {
  const account = await hookline.account()
  const [hook, events] = await createHolding(account, '/together', 3)
  await hookline.database.query(`
    CREATE FUNCTION no_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no job'; END $$;
    CREATE TRIGGER no_job BEFORE INSERT ON replays FOR EACH ROW EXECUTE FUNCTION no_job()`)
  const isEnabled = () => hookline.database.query('SELECT enabled FROM hooks WHERE id = $1', [hook])
  try {
    expect((await register(account, '/together')).status).toBe(500)
    expect(await isEnabled()).toEqual([{ enabled: false }])
    expect((await post(account, `/hooks/${hook}/enable`)).status).toBe(500)
    expect(await isEnabled()).toEqual([{ enabled: false }])
  } finally {
    await hookline.database.query('DROP TRIGGER no_job ON replays; DROP FUNCTION no_job()')
  }
  await register(account, '/together')
  await expect.poll(() => arrivedIds('/together'), { timeout: 30_000 }).toEqual(events)
})

test('one job delivers the held events, regardless of how often the webhook is enabled', async () => {
  const account = await hookline.account()
  const [hook, events] = await createHolding(account, '/once', 300)
  respondSlowly('/once', 200)
  const enable = () => post(account, `/hooks/${hook}/enable`)
  const results = await Promise.all([enable(), enable(), enable()])
  const [{ id } = { id: 0 }] = await readJobs(account)
  expect(results.map(({ json }) => json.replay_id)).toEqual([id, id, id])
  for (let times = 0; times < 3; times++) {
    await post(account, `/replays/${id}/pause`)
    expect((await enable()).json.replay_id).toBe(id)
    expect(await readJobs(account)).toMatchObject([{ id, state: 'running' }])
  }
  // Disabled during the pause, the webhook holds the suspended events. New events belong to the same job.
  await post(account, `/replays/${id}/pause`)
  await post(account, `/hooks/${hook}/disable`)
  await expect.poll(() => readWork(hook, 'NOT held'), { timeout: 30_000 }).toEqual([])
  const late = await gateway.event(account.accountId)
  await expect
    .poll(() => readWork(hook, `held AND event_id = '${late}'`), { timeout: 30_000 })
    .toHaveLength(1)
  expect((await enable()).json.replay_id).toBe(id)
  expect(await untilState(account, id, 'done')).toMatchObject({ total: 301, started: 301, delivered: 301 })
  expect(arrivedIds('/once')).toEqual([...events, late].toSorted())
  expect(await readJobs(account)).toHaveLength(1)
  expect(await readWork(hook)).toEqual([])
})

/** Responds to the first request late, with a failure, and to all others with success. */
function failLateOnce(path: string, ms: number): void {
  let calls = 0
  responses.set(path, async () => {
    calls += 1
    if (calls > 1) return 204
    await sleep(ms)
    return 500
  })
}

test('a delivery returned by a canceled job is delivered even if nothing was held when the webhook was enabled', async () => {
  const account = await hookline.account()
  const [hook, events] = await createHolding(account, '/back', 1)
  failLateOnce('/back', 6_000)
  const first = await post(account, `/hooks/${hook}/enable`)
  await receiver.until(() => receiver.at('/back').length > 0, 30_000)
  await post(account, `/hooks/${hook}/disable`)
  await untilState(account, first.json.replay_id, 'cancelled')
  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json).toMatchObject({ held: 0, replay_id: null })
  await expect.poll(() => arrivedIds('/back').length, { timeout: 30_000 }).toBe(2)
  expect(new Set(arrivedIds('/back'))).toEqual(new Set(events))
  await expect.poll(() => readWork(hook), { timeout: 30_000 }).toEqual([])
})

test('enabling a webhook without held events lists no replay', async () => {
  const account = await hookline.account()
  const { json } = await register(account, '/nothing')
  await post(account, `/hooks/${json.id}/disable`)
  expect((await post(account, `/hooks/${json.id}/enable`)).json).toMatchObject({ held: 0, replay_id: null })
  const listed = async () => (await call(`${hookline.url}/api/replays`, { key: account.key })).json.replays
  expect(await listed()).toEqual([])
  await expect.poll(async () => (await readJobs(account))[0]?.state, { timeout: 30_000 }).toBe('done')
  expect(await listed()).toEqual([])
})

test('a delivery returned by a canceled job is delivered by the next job', async () => {
  const account = await hookline.account()
  const [hook, events] = await createHolding(account, '/late', 1)
  failLateOnce('/late', 8_000)
  const first = await post(account, `/hooks/${hook}/enable`)
  await receiver.until(() => receiver.at('/late').length > 0, 30_000)
  await post(account, `/replays/${first.json.replay_id}/cancel`)
  // Another event is held, so that there is a next job.
  await post(account, `/hooks/${hook}/disable`)
  const other = await gateway.event(account.accountId)
  await expect.poll(() => readWork(hook, 'held'), { timeout: 30_000 }).toHaveLength(1)
  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json.held).toBe(1)
  await untilState(account, second.json.replay_id, 'done')
  expect(new Set(arrivedIds('/late'))).toEqual(new Set([...events, other]))
  expect(await readWork(hook)).toEqual([])
})
