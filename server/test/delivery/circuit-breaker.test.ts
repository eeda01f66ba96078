/** Tests that a failing hook is paused without cost to its deliveries, and recovers with a slow start. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { closeBreakers, openBreakers, reopenProbed } from '../../src/delivery/queue/circuit-breaker.ts'
import { recordFailures } from '../../src/delivery/queue/failure-streaks.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
const failuresToOpen = 10
/** Paths that fail, with their response headers. */
const failing = new Map<string, Record<string, string>>()
/** Paths of which every third request fails, or only every third succeeds. */
const failEveryThird = new Set<string>()
const succeedEveryThird = new Set<string>()
const counts = new Map<string, number>()
/** Paths that respond after a second. */
const slow = new Set<string>()

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2].map(() => hookline.startAnother({}, 'worker')))
  gateway = await createGateway(hookline)
  receiver = await startReceiver((request, response) => {
    const headers = failing.get(request.url)
    const count = (counts.get(request.url) ?? 0) + 1
    counts.set(request.url, count)
    const isThird = count % 3 === 0
    const isFailure =
      headers !== undefined ||
      (failEveryThird.has(request.url) && isThird) ||
      (succeedEveryThird.has(request.url) && !isThird)
    const respond = () => response.writeHead(isFailure ? 503 : 204, headers).end()
    if (slow.has(request.url)) setTimeout(respond, 1_000)
    else respond()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

interface TestHook extends TestAccount {
  path: string
  hookId: number
}

async function register(path: string, fields: Record<string, string> = {}): Promise<TestHook> {
  const account = await hookline.account()
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', ...fields }
  const { json } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  return { ...account, path, hookId: json.id }
}

async function submit(hook: TestHook, count: number): Promise<string[]> {
  return (await gateway.submitEvents(...Array.from({ length: count }, () => inboundSms(hook.accountId))))
    .accepted
}

interface Lane {
  open_seconds: number
  is_probing: boolean
  waits_ms: number
}

async function readLane({ hookId }: TestHook): Promise<Lane | undefined> {
  const [lane] = await hookline.database.query<Lane>(
    `SELECT open_seconds, is_probing,
            CASE WHEN open_seconds > 0 THEN extract(epoch FROM not_before - now())::float8 * 1000 END AS waits_ms
     FROM lane WHERE hook_id = $1`,
    [hookId],
  )
  return lane
}

/** Ends the backoff immediately. */
function endBackoff({ hookId }: TestHook): Promise<object[]> {
  return hookline.database.query('UPDATE lane SET not_before = now(), due_at = now() WHERE hook_id = $1', [
    hookId,
  ])
}

function makeRetriesDue({ hookId }: TestHook): Promise<object[]> {
  return hookline.database.query(`UPDATE work SET due_at = now() - interval '1 minute' WHERE hook_id = $1`, [
    hookId,
  ])
}

function readPending({ hookId }: TestHook): Promise<Array<{ event_id: string; attempts: number }>> {
  return hookline.database.query('SELECT event_id, attempts FROM work WHERE hook_id = $1 ORDER BY event_id', [
    hookId,
  ])
}

function until(check: () => Promise<unknown>, expected: unknown): Promise<void> {
  return expect.poll(check, { timeout: 20_000 }).toEqual(expected)
}

/** Causes enough failures without a success to open the circuit breaker. */
async function openBreaker(hook: TestHook): Promise<void> {
  failing.set(hook.path, failing.get(hook.path) ?? {})
  await submit(hook, failuresToOpen)
  await until(async () => (await readLane(hook))?.open_seconds, 5)
}

function requestsOf(hook: TestHook): ReceivedRequest[] {
  return receiver.at(hook.path)
}

test('events too large for a GET are not sent and do not open the circuit breaker', async () => {
  const hook = await register('/get', { request_method: 'GET' })
  const large = Array.from({ length: 3 * failuresToOpen }, () =>
    inboundSms(hook.accountId, { text: 'x'.repeat(9_000) }),
  )
  await gateway.submitEvents(...large)
  await until(
    () =>
      hookline.database.query(
        'SELECT reason, count(*)::integer AS count FROM deliveries WHERE hook_id = $1 GROUP BY reason',
        [hook.hookId],
      ),
    [{ reason: 'address_too_long', count: large.length }],
  )
  expect(
    await hookline.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [hook.hookId]),
  ).toEqual([])
  await submit(hook, 1)
  await expect.poll(() => receiver.requests.some(({ url }) => url.startsWith('/get?'))).toBe(true)
})

test('ten consecutive failures open the circuit breaker: new events wait, unsent and without using attempts', async () => {
  const hook = await register('/opens')
  await openBreaker(hook)
  const attempted = requestsOf(hook).length
  const ids = await submit(hook, 20)
  await until(async () => (await readPending(hook)).length, 20 + failuresToOpen)
  expect((await readLane(hook))?.waits_ms).toBeLessThanOrEqual(6_000)
  // Longer than a worker takes to send due deliveries.
  await sleep(1_000)
  expect(requestsOf(hook)).toHaveLength(attempted)
  const fresh = (await readPending(hook)).filter(({ event_id }) => ids.includes(event_id))
  expect(fresh.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 20 }, () => 0))
})

test('nine consecutive failures do not open the circuit breaker', async () => {
  const hook = await register('/almost')
  failing.set(hook.path, {})
  await submit(hook, failuresToOpen - 1)
  await until(
    () => hookline.database.query('SELECT attempts FROM hook_failures WHERE hook_id = $1', [hook.hookId]),
    [{ attempts: failuresToOpen - 1 }],
  )
  expect((await readLane(hook))?.open_seconds).toBe(0)
})

interface FailureCounts {
  failures: number
  successes: number
  is_failing: boolean
}

async function readFailureCounts({ hookId }: TestHook): Promise<FailureCounts | undefined> {
  const [row] = await hookline.database.query<FailureCounts>(
    'SELECT failures, successes, failing_since IS NOT NULL AS is_failing FROM hook_failures WHERE hook_id = $1',
    [hookId],
  )
  return row
}

test('a failure rate of one third never opens the circuit breaker', async () => {
  const hook = await register('/sometimes')
  await submit(hook, 1)
  await receiver.until(() => requestsOf(hook).length === 1)
  failEveryThird.add(hook.path)
  const rounds = 10
  for (let round = 1; round <= rounds; round++) {
    await submit(hook, 12)
    // Retries happen in between, and they count as well.
    await until(
      async () => {
        const [{ first } = { first: 0 }] = await hookline.database.query<{ first: number }>(
          'SELECT count(*)::integer AS first FROM all_attempts WHERE hook_id = $1 AND attempt = 1',
          [hook.hookId],
        )
        return first
      },
      1 + 12 * round,
    )
    expect((await readLane(hook))?.open_seconds ?? 0).toBe(0)
  }
  expect(await readFailureCounts(hook)).toMatchObject({ is_failing: false })
})

test('a failure rate of two thirds opens the circuit breaker', async () => {
  const hook = await register('/mostly')
  await submit(hook, 1)
  await receiver.until(() => requestsOf(hook).length === 1)
  succeedEveryThird.add(hook.path)
  await expect
    .poll(
      async () => {
        await submit(hook, 6)
        return (await readLane(hook))?.open_seconds ?? 0
      },
      { timeout: 25_000, interval: 100 },
    )
    .toBeGreaterThan(0)
})

test('only a probe or a test event closes an open circuit breaker, not requests in flight when it opened', async () => {
  // Without deliveries, so no attempt of a worker changes the state between two steps.
  const hook = await register('/under-way')
  const recordSuccess = (isTest: boolean): Promise<void> =>
    recordFailures(
      hookline.db,
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
  const open = async (isProbing: boolean): Promise<void> => {
    await hookline.database.query(
      `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts, failures, successes)
       VALUES ($1, $2, now(), 10, 10, 0) ON CONFLICT DO NOTHING`,
      [hook.accountId, hook.hookId],
    )
    await hookline.database.query(
      `INSERT INTO lane (account_id, hook_id, due_at, open_seconds, not_before, is_probing)
       VALUES ($1, $2, 'infinity', 5, now() + interval '1 hour', $3)
       ON CONFLICT (account_id, hook_id) DO UPDATE SET
         open_seconds = 5, not_before = excluded.not_before, is_probing = excluded.is_probing`,
      [hook.accountId, hook.hookId, isProbing],
    )
  }
  await open(false)
  await recordSuccess(false)
  expect((await readLane(hook))?.open_seconds).toBe(5)
  await open(true)
  await recordSuccess(false)
  expect((await readLane(hook))?.open_seconds ?? 0).toBe(0)
  expect(await readFailureCounts(hook)).toBeUndefined()
  await open(false)
  await recordSuccess(true)
  expect((await readLane(hook))?.open_seconds ?? 0).toBe(0)
})

/** Opens the breaker for an hour, with pending deliveries that are due. */
async function openForAnHour(hook: TestHook): Promise<void> {
  await openBreaker(hook)
  await makeRetriesDue(hook)
  await hookline.database.query(
    `UPDATE lane SET not_before = now() + interval '1 hour', is_probing = false WHERE hook_id = $1`,
    [hook.hookId],
  )
}

/** Lets failed deliveries wait for an hour. Their attempts were a minute ago. */
async function waitInBackoff({ hookId }: TestHook): Promise<void> {
  await hookline.database.query(
    `UPDATE work SET due_at = now() + interval '1 hour', waits_since = now() - interval '1 minute' WHERE hook_id = $1`,
    [hookId],
  )
}

function sendTestEvent({ key, hookId }: TestHook) {
  return call(`${hookline.url}/api/hooks/${hookId}/test`, { method: 'POST', key, json: {} })
}

function retryNow({ key, hookId }: TestHook) {
  return call(`${hookline.url}/api/hooks/${hookId}/retry`, { method: 'POST', key, json: {} })
}

const isTestRequest = ({ headers }: ReceivedRequest): boolean => headers['x-hookline-test'] === '1'

test('a test event is sent at once while the circuit breaker is open, and its failure changes nothing', async () => {
  const hook = await register('/tested')
  await openForAnHour(hook)
  const before = requestsOf(hook).length
  const clickedAt = Date.now()
  expect((await sendTestEvent(hook)).status).toBe(200)
  await receiver.until(() => requestsOf(hook).some(isTestRequest))
  expect(Date.now() - clickedAt).toBeLessThan(2_000)
  // Another can follow as soon as the first has finished.
  await until(async () => (await sendTestEvent(hook)).status, 200)
  await receiver.until(() => requestsOf(hook).filter(isTestRequest).length === 2)
  expect(requestsOf(hook)).toHaveLength(before + 2)
  expect(await readLane(hook)).toMatchObject({ open_seconds: 5, is_probing: false })
  await until(async () => (await readPending(hook)).length, failuresToOpen)
})

test('while the circuit breaker is open, one test event at a time is sent', async () => {
  const hook = await register('/one-test')
  await openForAnHour(hook)
  slow.add(hook.path)
  expect((await sendTestEvent(hook)).status).toBe(200)
  const others = await Promise.all(Array.from({ length: 5 }, () => sendTestEvent(hook)))
  expect(others.map(({ status, json }) => [status, json.code])).toEqual(
    Array.from({ length: 5 }, () => [409, 1107]),
  )
  await receiver.until(() => requestsOf(hook).some(isTestRequest))
  await sleep(500)
  expect(requestsOf(hook).filter(isTestRequest)).toHaveLength(1)
})

test('a successful test event closes the circuit breaker, and pending deliveries follow', async () => {
  const hook = await register('/test-succeeds')
  await openForAnHour(hook)
  failing.delete(hook.path)
  await sendTestEvent(hook)
  await until(() => readPending(hook), [])
})

test('“Retry now” sends one probe at once: a failure keeps the others waiting, a success sends them', async () => {
  const hook = await register('/retried')
  await openForAnHour(hook)
  await waitInBackoff(hook)
  const before = requestsOf(hook).length
  const clickedAt = Date.now()
  expect((await retryNow(hook)).json).toMatchObject({ started: 'probe' })
  await receiver.until(() => requestsOf(hook).length > before)
  expect(Date.now() - clickedAt).toBeLessThan(2_000)
  await until(async () => (await readLane(hook))?.open_seconds, 10)
  await sleep(300)
  expect(requestsOf(hook)).toHaveLength(before + 1)
  expect((await retryNow(hook)).json).toMatchObject({ started: 'scheduled' })
  failing.delete(hook.path)
  await hookline.database.query(
    `UPDATE lane SET not_before = now() + interval '3 seconds' WHERE hook_id = $1`,
    [hook.hookId],
  )
  expect((await retryNow(hook)).json).toMatchObject({ started: 'probe' })
  await until(() => readPending(hook), [])
  expect((await retryNow(hook)).json).toMatchObject({ started: 'nothing' })
})

test('“Retry now” sends deliveries that wait for their next attempt, if the circuit breaker is closed', async () => {
  const hook = await register('/waits')
  failing.set(hook.path, {})
  await submit(hook, 3)
  await until(async () => (await readPending(hook)).map(({ attempts }) => attempts), [1, 1, 1])
  failing.delete(hook.path)
  await waitInBackoff(hook)
  expect((await retryNow(hook)).json).toMatchObject({ started: 'deliveries' })
  await until(() => readPending(hook), [])
  const audit = await hookline.database.query(
    `SELECT action, subject, detail FROM audit WHERE account_id = $1 AND action = 'hook.retry'`,
    [hook.accountId],
  )
  expect(audit).toEqual([
    { action: 'hook.retry', subject: `hook:${hook.hookId}`, detail: { started: 'deliveries' } },
  ])
})

test('“Retry now” keeps Retry-After times, the last attempt, and the time between attempts', async () => {
  const hook = await register('/keeps-time')
  failing.set(hook.path, { 'retry-after': '3600' })
  await submit(hook, 1)
  await until(async () => (await readPending(hook)).map(({ attempts }) => attempts), [1])
  await sleep(100)
  expect((await retryNow(hook)).json).toMatchObject({ started: 'scheduled' })
  // No longer delayed by Retry-After: attempted just now, then with one attempt left.
  await hookline.database.query(
    `UPDATE work SET waits_since = now(), due_at = now() + interval '1 hour' WHERE hook_id = $1`,
    [hook.hookId],
  )
  expect((await retryNow(hook)).json).toMatchObject({ started: 'scheduled' })
  await waitInBackoff(hook)
  await hookline.database.query('UPDATE work SET attempts = 11 WHERE hook_id = $1', [hook.hookId])
  expect((await retryNow(hook)).json).toMatchObject({ started: 'scheduled' })
  await sleep(300)
  expect(requestsOf(hook)).toHaveLength(1)
})

test('“Retry now” starts nothing beside a probe in flight, at a stop, a disabled webhook or that of another account', async () => {
  const hook = await register('/not-retried')
  await openForAnHour(hook)
  const before = requestsOf(hook).length
  await hookline.database.query('UPDATE lane SET is_probing = true WHERE hook_id = $1', [hook.hookId])
  expect((await retryNow(hook)).json).toMatchObject({ started: 'in_flight' })
  await hookline.database.query(
    `UPDATE lane SET is_probing = false, stop_id = 1, not_before = 'infinity' WHERE hook_id = $1`,
    [hook.hookId],
  )
  expect((await retryNow(hook)).json).toMatchObject({ started: 'stopped' })
  const other = await hookline.account()
  expect((await retryNow({ ...hook, key: other.key })).status).toBe(404)
  await call(`${hookline.url}/api/hooks/${hook.hookId}/disable`, { method: 'POST', key: hook.key, json: {} })
  expect((await retryNow(hook)).json).toMatchObject({ code: 1104 })
  await sleep(300)
  expect(requestsOf(hook)).toHaveLength(before)
})

test('the failure row of a recovered webhook is deleted on a success', async () => {
  const hook = await register('/calm')
  failing.set(hook.path, {})
  await submit(hook, 1)
  await until(async () => (await readFailureCounts(hook))?.is_failing, true)
  failing.delete(hook.path)
  await submit(hook, 1)
  await until(async () => (await readFailureCounts(hook))?.is_failing, false)
  await hookline.database.query(
    `UPDATE hook_failures SET counted_at = now() - interval '1 minute' WHERE hook_id = $1`,
    [hook.hookId],
  )
  await submit(hook, 1)
  await until(() => readFailureCounts(hook), undefined)
})

test('after the backoff one worker sends one probe; each failure doubles the backoff, up to a minute', async () => {
  const hook = await register('/probes')
  await openBreaker(hook)
  await submit(hook, 20)
  await until(async () => (await readPending(hook)).length, 20 + failuresToOpen)
  for (const seconds of [10, 20, 40, 60, 60]) {
    const before = requestsOf(hook).length
    await makeRetriesDue(hook)
    await endBackoff(hook)
    await until(async () => {
      const lane = await readLane(hook)
      return lane && !lane.is_probing && lane.waits_ms > 0 && lane.open_seconds
    }, seconds)
    expect((await readLane(hook))?.waits_ms).toBeGreaterThan(seconds * 1_000 - 5_000)
    expect((await readLane(hook))?.waits_ms).toBeLessThanOrEqual(seconds * 1_200)
    expect(requestsOf(hook)).toHaveLength(before + 1)
  }
})

test('a success closes the circuit breaker, and each pending delivery is sent once, immediately', async () => {
  const hook = await register('/recovers')
  await openBreaker(hook)
  const submitted = await submit(hook, 30)
  await until(async () => (await readPending(hook)).length, 30 + failuresToOpen)
  failing.delete(hook.path)
  const before = requestsOf(hook).length
  await makeRetriesDue(hook)
  // All but one are due in hours.
  await hookline.database.query(
    `UPDATE work SET due_at = now() + interval '3 hours' WHERE hook_id = $1 AND attempts > 0
       AND event_id <> (SELECT event_id FROM work WHERE hook_id = $1 ORDER BY event_id LIMIT 1)`,
    [hook.hookId],
  )
  await endBackoff(hook)
  await until(() => readPending(hook), [])
  expect(requestsOf(hook)).toHaveLength(before + 30 + failuresToOpen)
  // A later poll of the lane finds no deliveries and deletes it.
  await until(() => readLane(hook), undefined)
  const outcomes = await hookline.database.query(
    'SELECT state, attempts, count(*)::integer FROM deliveries WHERE hook_id = $1 GROUP BY 1, 2 ORDER BY 2',
    [hook.hookId],
  )
  expect(outcomes).toEqual([
    { state: 'delivered', attempts: 1, count: submitted.length },
    { state: 'delivered', attempts: 2, count: failuresToOpen },
  ])
})

test('deliveries delayed by Retry-After are not sent earlier', async () => {
  const hook = await register('/asks')
  failing.set(hook.path, { 'retry-after': '3600' })
  await openBreaker(hook)
  failing.delete(hook.path)
  await submit(hook, 3)
  await until(async () => (await readPending(hook)).length, 3 + failuresToOpen)
  await endBackoff(hook)
  const expectedAttempts = Array.from({ length: failuresToOpen }, () => 1)
  await until(async () => (await readPending(hook)).map(({ attempts }) => attempts), expectedAttempts)
  await sleep(500)
  expect(await readPending(hook)).toHaveLength(failuresToOpen)
  const [lane] = await hookline.database.query<{ is_far: boolean; open_seconds: number }>(
    `SELECT due_at > now() + interval '50 minutes' AS is_far, open_seconds FROM lane WHERE hook_id = $1`,
    [hook.hookId],
  )
  expect(lane).toEqual({ is_far: true, open_seconds: 0 })
})

test('deliveries that wait for their receiver do not count as lag', async () => {
  const hook = await register('/patient')
  await openBreaker(hook)
  await makeRetriesDue(hook)
  await hookline.database.query(
    `UPDATE lane SET due_at = now() - interval '1 hour', not_before = now() + interval '1 hour' WHERE hook_id = $1`,
    [hook.hookId],
  )
  // Longer than the heartbeat interval of the workers and the tolerated lag.
  for (let second = 0; second < 4; second++) {
    await sleep(1_000)
    const { text } = await call(`${hookline.service.internalUrl}/metrics`)
    expect(Number(/^hookline_due_oldest_seconds (\S+)$/m.exec(text)?.[1])).toBeLessThan(2)
  }
})

test.each([
  ['reopens', reopenProbed],
  ['closes', (db: TestService['db'], hooks: Hooks) => closeBreakers(db, hooks, 'probing')],
])('a statement that %s breakers locks their lanes in the order of the hooks', async (_, change) => {
  const { accountId } = await hookline.account()
  const hooks = [2, 1].map((hookId) => ({ accountId, hookId }))
  await openBreakers(hookline.db, hooks)
  await hookline.database.query('UPDATE lane SET is_probing = true WHERE account_id = $1', [accountId])
  const lockLane = (hookId: number) =>
    hookline.db
      .selectFrom('lane')
      .select('hookId')
      .where('accountId', '=', accountId)
      .where('hookId', '=', hookId)
      .forUpdate()
      .noWait()
  const changed = await hookline.db.transaction().execute(async (trx) => {
    await trx.executeQuery(lockLane(1))
    const waiting = change(hookline.db, hooks).then(() => 'changed')
    await expect.poll(() => hookline.database.query(waitingForLane)).toHaveLength(1)
    // It waits for the first lane, so it has not locked the second.
    expect(await lockLane(2).execute()).toEqual([{ hookId: 2 }])
    return { waiting }
  })
  expect(await changed.waiting).toBe('changed')
})

type Hooks = Parameters<typeof reopenProbed>[1]

const waitingForLane = `
  SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%UPDATE lane%'`
