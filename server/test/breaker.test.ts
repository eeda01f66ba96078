/** A hook that only fails is left alone for a while, without cost to its deliveries, and comes back gently. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
/** Paths that fail, and how. */
const failing = new Map<string, Record<string, string>>()

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true', READY_LAG_SECONDS: '2' }, 'api')
  await Promise.all([1, 2].map(() => world.startAnother({}, 'worker')))
  gateway = await createGateway(world)
  receiver = await startReceiver((request, response) => {
    const headers = failing.get(request.url)
    response.writeHead(headers === undefined ? 204 : 503, headers).end()
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

interface TestHook extends TestAccount {
  path: string
  hookId: number
}

async function register(path: string): Promise<TestHook> {
  const account = await world.account()
  const form = { target_url: receiver.url(path), event_type: 'sms_mo' }
  const { json } = await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form })
  return { ...account, path, hookId: json.id }
}

async function hand(hook: TestHook, count: number): Promise<string[]> {
  return (await gateway.handIn(...Array.from({ length: count }, () => inboundSms(hook.accountId)))).accepted
}

interface Lane {
  open_seconds: number
  is_probing: boolean
  waits_ms: number
}

async function laneOf({ hookId }: TestHook): Promise<Lane | undefined> {
  const [lane] = await world.database.query<Lane>(
    `SELECT open_seconds, is_probing,
            CASE WHEN open_seconds > 0 THEN extract(epoch FROM not_before - now())::float8 * 1000 END AS waits_ms
     FROM lane WHERE hook_id = $1`,
    [hookId],
  )
  return lane
}

/** As if its time were over now. */
function endWait({ hookId }: TestHook): Promise<object[]> {
  return world.database.query('UPDATE lane SET not_before = now(), due_at = now() WHERE hook_id = $1', [
    hookId,
  ])
}

function letRetriesBeDue({ hookId }: TestHook): Promise<object[]> {
  return world.database.query(`UPDATE work SET due_at = now() - interval '1 minute' WHERE hook_id = $1`, [
    hookId,
  ])
}

function waitingOf({ hookId }: TestHook): Promise<Array<{ event_id: string; attempts: number }>> {
  return world.database.query('SELECT event_id, attempts FROM work WHERE hook_id = $1 ORDER BY event_id', [
    hookId,
  ])
}

function until(check: () => Promise<unknown>, expected: unknown): Promise<void> {
  return expect.poll(check, { timeout: 20_000 }).toEqual(expected)
}

/** Five failures, one after the other. */
async function open(hook: TestHook): Promise<void> {
  failing.set(hook.path, failing.get(hook.path) ?? {})
  await hand(hook, 5)
  await until(async () => (await laneOf(hook))?.open_seconds, 5)
}

function at(hook: TestHook): ReceivedRequest[] {
  return receiver.at(hook.path)
}

test('five failures in a row open it: what comes in waits, is not sent and uses up no attempt', async () => {
  const hook = await register('/opens')
  await open(hook)
  const attempted = at(hook).length
  const ids = await hand(hook, 20)
  await until(async () => (await waitingOf(hook)).length, 25)
  expect((await laneOf(hook))?.waits_ms).toBeLessThanOrEqual(6_000)
  // Longer than a worker takes to send what is due.
  await sleep(1_000)
  expect(at(hook)).toHaveLength(attempted)
  const fresh = (await waitingOf(hook)).filter(({ event_id }) => ids.includes(event_id))
  expect(fresh.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 20 }, () => 0))
})

test('four failures in a row do not open it, and a success begins the count anew', async () => {
  const hook = await register('/almost')
  for (let round = 1; round <= 2; round++) {
    failing.set(hook.path, {})
    await hand(hook, 4)
    await until(async () => (await waitingOf(hook)).filter(({ attempts }) => attempts > 0).length, 4 * round)
    failing.delete(hook.path)
    const [good] = await hand(hook, 1)
    await receiver.until(() => at(hook).some((request) => request.headers['webhook-id'] === good))
    await until(() => world.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [hook.hookId]), [])
  }
  expect((await laneOf(hook))?.open_seconds).toBe(0)
})

test('when its time is over, one delivery of one worker goes out; failing, it waits twice as long, up to a minute', async () => {
  const hook = await register('/probes')
  await open(hook)
  await hand(hook, 20)
  await until(async () => (await waitingOf(hook)).length, 25)
  for (const seconds of [10, 20, 40, 60, 60]) {
    const before = at(hook).length
    await letRetriesBeDue(hook)
    await endWait(hook)
    await until(async () => {
      const lane = await laneOf(hook)
      return lane && !lane.is_probing && lane.waits_ms > 0 && lane.open_seconds
    }, seconds)
    expect((await laneOf(hook))?.waits_ms).toBeGreaterThan(seconds * 1_000 - 5_000)
    expect((await laneOf(hook))?.waits_ms).toBeLessThanOrEqual(seconds * 1_200)
    expect(at(hook)).toHaveLength(before + 1)
  }
})

test('a success closes it, and what failed before is sent at once, each once more', async () => {
  const hook = await register('/recovers')
  await open(hook)
  const held = await hand(hook, 30)
  await until(async () => (await waitingOf(hook)).length, 35)
  failing.delete(hook.path)
  const before = at(hook).length
  await letRetriesBeDue(hook)
  // All but one are hours away from their time.
  await world.database.query(
    `UPDATE work SET due_at = now() + interval '3 hours' WHERE hook_id = $1 AND attempts > 0
       AND event_id <> (SELECT event_id FROM work WHERE hook_id = $1 ORDER BY event_id LIMIT 1)`,
    [hook.hookId],
  )
  await endWait(hook)
  await until(() => waitingOf(hook), [])
  expect(at(hook)).toHaveLength(before + 35)
  // The lane goes when its turn comes and finds nothing.
  await until(() => laneOf(hook), undefined)
  const ends = await world.database.query(
    'SELECT state, attempts, count(*)::integer FROM deliveries WHERE hook_id = $1 GROUP BY 1, 2 ORDER BY 2',
    [hook.hookId],
  )
  expect(ends).toEqual([
    { state: 'delivered', attempts: 1, count: held.length },
    { state: 'delivered', attempts: 2, count: 5 },
  ])
})

test('what the receiver itself asked to wait for is not sent earlier', async () => {
  const hook = await register('/asks')
  failing.set(hook.path, { 'retry-after': '3600' })
  await open(hook)
  failing.delete(hook.path)
  await hand(hook, 3)
  await until(async () => (await waitingOf(hook)).length, 8)
  await endWait(hook)
  await until(async () => (await waitingOf(hook)).map(({ attempts }) => attempts), [1, 1, 1, 1, 1])
  await sleep(500)
  expect(await waitingOf(hook)).toHaveLength(5)
  const [lane] = await world.database.query<{ is_far: boolean; open_seconds: number }>(
    `SELECT due_at > now() + interval '50 minutes' AS is_far, open_seconds FROM lane WHERE hook_id = $1`,
    [hook.hookId],
  )
  expect(lane).toEqual({ is_far: true, open_seconds: 0 })
})

test('what waits for its own receiver is not late: readiness stays green', async () => {
  const hook = await register('/patient')
  await open(hook)
  await letRetriesBeDue(hook)
  await world.database.query(
    `UPDATE lane SET due_at = now() - interval '1 hour', not_before = now() + interval '1 hour' WHERE hook_id = $1`,
    [hook.hookId],
  )
  // Longer than the workers' next words about themselves, and than what may be late.
  for (let second = 0; second < 4; second++) {
    await sleep(1_000)
    const { json } = await call(`${world.service.internalUrl}/health/ready`)
    expect(json).toMatchObject({ status: 'ready' })
  }
})
