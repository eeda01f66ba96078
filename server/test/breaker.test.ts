/** A hook that only fails is left alone for a while, without cost to its deliveries, and comes back gently. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import { recordFailures } from '../src/pipeline/work/hook-failures.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
const failuresToOpen = 10
/** Paths that fail, and how. */
const failing = new Map<string, Record<string, string>>()
/** Paths of which every third request fails, or every third alone succeeds. */
const isEveryThirdFailing = new Set<string>()
const isEveryThirdWorking = new Set<string>()
const counts = new Map<string, number>()

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2].map(() => world.startAnother({}, 'worker')))
  gateway = await createGateway(world)
  receiver = await startReceiver((request, response) => {
    const headers = failing.get(request.url)
    const count = (counts.get(request.url) ?? 0) + 1
    counts.set(request.url, count)
    const isThird = count % 3 === 0
    const fails =
      headers !== undefined ||
      (isEveryThirdFailing.has(request.url) && isThird) ||
      (isEveryThirdWorking.has(request.url) && !isThird)
    response.writeHead(fails ? 503 : 204, headers).end()
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

/** As many failures without a success as it takes. */
async function open(hook: TestHook): Promise<void> {
  failing.set(hook.path, failing.get(hook.path) ?? {})
  await hand(hook, failuresToOpen)
  await until(async () => (await laneOf(hook))?.open_seconds, 5)
}

function at(hook: TestHook): ReceivedRequest[] {
  return receiver.at(hook.path)
}

test('ten failures in a row open it: what comes in waits, is not sent and uses up no attempt', async () => {
  const hook = await register('/opens')
  await open(hook)
  const attempted = at(hook).length
  const ids = await hand(hook, 20)
  await until(async () => (await waitingOf(hook)).length, 20 + failuresToOpen)
  expect((await laneOf(hook))?.waits_ms).toBeLessThanOrEqual(6_000)
  // Longer than a worker takes to send what is due.
  await sleep(1_000)
  expect(at(hook)).toHaveLength(attempted)
  const fresh = (await waitingOf(hook)).filter(({ event_id }) => ids.includes(event_id))
  expect(fresh.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 20 }, () => 0))
})

test('nine failures in a row do not open it', async () => {
  const hook = await register('/almost')
  failing.set(hook.path, {})
  await hand(hook, failuresToOpen - 1)
  await until(
    () => world.database.query('SELECT attempts FROM hook_failures WHERE hook_id = $1', [hook.hookId]),
    [{ attempts: failuresToOpen - 1 }],
  )
  expect((await laneOf(hook))?.open_seconds).toBe(0)
})

interface Counted {
  failures: number
  successes: number
  is_failing: boolean
}

async function countedOf({ hookId }: TestHook): Promise<Counted | undefined> {
  const [counted] = await world.database.query<Counted>(
    'SELECT failures, successes, failing_since IS NOT NULL AS is_failing FROM hook_failures WHERE hook_id = $1',
    [hookId],
  )
  return counted
}

test('a third of failures does not open it, however many fail in all, and delays nothing else', async () => {
  const hook = await register('/sometimes')
  await hand(hook, 1)
  await receiver.until(() => at(hook).length === 1)
  isEveryThirdFailing.add(hook.path)
  const rounds = 10
  for (let round = 1; round <= rounds; round++) {
    await hand(hook, 12)
    // Retries come in between, and they count as well.
    await until(
      async () => {
        const [{ first } = { first: 0 }] = await world.database.query<{ first: number }>(
          'SELECT count(*)::integer AS first FROM attempts WHERE hook_id = $1 AND attempt = 1',
          [hook.hookId],
        )
        return first
      },
      1 + 12 * round,
    )
    expect((await laneOf(hook))?.open_seconds ?? 0).toBe(0)
  }
  expect(await countedOf(hook)).toMatchObject({ is_failing: false })
})

test('two thirds of failures open it', async () => {
  const hook = await register('/mostly')
  await hand(hook, 1)
  await receiver.until(() => at(hook).length === 1)
  isEveryThirdWorking.add(hook.path)
  await expect
    .poll(
      async () => {
        await hand(hook, 6)
        return (await laneOf(hook))?.open_seconds ?? 0
      },
      { timeout: 25_000, interval: 100 },
    )
    .toBeGreaterThan(0)
})

test('open, only the probe closes it, or a test: what was under way when it opened does not', async () => {
  const hook = await register('/under-way')
  await open(hook)
  const delivered = (isTest: boolean): Promise<void> =>
    recordFailures(
      world.db,
      [
        {
          accountId: hook.accountId,
          hookId: hook.hookId,
          eventId: randomUUID(),
          lease: randomUUID(),
          round: 1,
          attempts: 1,
          faults: 0,
          host: '',
          isTest,
          next: { state: 'delivered', reason: 'delivered' },
          attempt: {
            number: 1,
            startedAt: new Date(),
            outcome: { reason: 'delivered', timings: { totalMs: 1 } },
          },
        },
      ],
      [{ isSettled: true, wasFailing: true, isOpen: true }],
    )
  const wait = (isProbing: boolean): Promise<object[]> =>
    world.database.query(
      `UPDATE lane SET open_seconds = 5, not_before = now() + interval '1 hour', is_probing = $2 WHERE hook_id = $1`,
      [hook.hookId, isProbing],
    )
  await wait(false)
  await delivered(false)
  expect((await laneOf(hook))?.open_seconds).toBe(5)
  await wait(true)
  await delivered(false)
  expect((await laneOf(hook))?.open_seconds ?? 0).toBe(0)
  expect(await countedOf(hook)).toBeUndefined()
  await open(hook)
  await wait(false)
  await delivered(true)
  expect((await laneOf(hook))?.open_seconds ?? 0).toBe(0)
})

test('a webhook that works again costs nothing: its row goes with a success', async () => {
  const hook = await register('/calm')
  failing.set(hook.path, {})
  await hand(hook, 1)
  await until(async () => (await countedOf(hook))?.is_failing, true)
  failing.delete(hook.path)
  await hand(hook, 1)
  await until(async () => (await countedOf(hook))?.is_failing, false)
  await world.database.query(
    `UPDATE hook_failures SET counted_at = now() - interval '1 minute' WHERE hook_id = $1`,
    [hook.hookId],
  )
  await hand(hook, 1)
  await until(() => countedOf(hook), undefined)
})

test('when its time is over, one delivery of one worker goes out; failing, it waits twice as long, up to a minute', async () => {
  const hook = await register('/probes')
  await open(hook)
  await hand(hook, 20)
  await until(async () => (await waitingOf(hook)).length, 20 + failuresToOpen)
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
  await until(async () => (await waitingOf(hook)).length, 30 + failuresToOpen)
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
  expect(at(hook)).toHaveLength(before + 30 + failuresToOpen)
  // The lane goes when its turn comes and finds nothing.
  await until(() => laneOf(hook), undefined)
  const ends = await world.database.query(
    'SELECT state, attempts, count(*)::integer FROM deliveries WHERE hook_id = $1 GROUP BY 1, 2 ORDER BY 2',
    [hook.hookId],
  )
  expect(ends).toEqual([
    { state: 'delivered', attempts: 1, count: held.length },
    { state: 'delivered', attempts: 2, count: failuresToOpen },
  ])
})

test('what the receiver itself asked to wait for is not sent earlier', async () => {
  const hook = await register('/asks')
  failing.set(hook.path, { 'retry-after': '3600' })
  await open(hook)
  failing.delete(hook.path)
  await hand(hook, 3)
  await until(async () => (await waitingOf(hook)).length, 3 + failuresToOpen)
  await endWait(hook)
  const asked = Array.from({ length: failuresToOpen }, () => 1)
  await until(async () => (await waitingOf(hook)).map(({ attempts }) => attempts), asked)
  await sleep(500)
  expect(await waitingOf(hook)).toHaveLength(failuresToOpen)
  const [lane] = await world.database.query<{ is_far: boolean; open_seconds: number }>(
    `SELECT due_at > now() + interval '50 minutes' AS is_far, open_seconds FROM lane WHERE hook_id = $1`,
    [hook.hookId],
  )
  expect(lane).toEqual({ is_far: true, open_seconds: 0 })
})

test('deliveries that wait for their own receiver do not count as lag', async () => {
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
    const { text } = await call(`${world.service.internalUrl}/metrics`)
    expect(Number(/^hookline_due_oldest_seconds (\S+)$/m.exec(text)?.[1])).toBeLessThan(2)
  }
})
