/**
 * Tests suspended accounts and stops of a webhook, a host or all deliveries by the operator. A second later no process starts
 * new attempts. Pending deliveries wait, use no attempt, and are released with a slow start.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { samples } from '../../src/model/sample-events.ts'
import { expireStopped } from '../../src/delivery/queue/finish.ts'
import { waitForCounts } from '../support/counts.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let otherReceiver: Receiver
/** Slow enough for a lasting backlog, because a hook has at most 16 attempts in flight. */
const slowMs = 400
let delayMs = slowMs
/** Paths that fail. */
const failing = new Set<string>()

const respond: Parameters<typeof startReceiver>[0] = async (request, response) => {
  await sleep(delayMs)
  response.writeHead(failing.has(request.url) ? 503 : 204).end()
}

beforeEach(() => {
  delayMs = slowMs
})
beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2].map(() => hookline.startAnother({}, 'worker')))
  gateway = await createGateway(hookline)
  receiver = await startReceiver(respond)
  otherReceiver = await startReceiver(respond)
})
afterAll(async () => {
  await hookline.close()
  await Promise.all([receiver.close(), otherReceiver.close()])
})
afterEach(async () => {
  delayMs = 0
  const { stdout } = await admin('stop', 'list')
  for (const { id, is_suspension } of JSON.parse(stdout) as Array<{ id: number; is_suspension: boolean }>)
    if (!is_suspension) await admin('stop', 'end', String(id))
  await expect
    .poll(() => query('SELECT FROM lane WHERE stop_id IS NOT NULL'), { timeout: 30_000 })
    .toEqual([])
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(sql, values)
}

async function admin(...args: string[]) {
  const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  const run = await runAdmin(env, [...args, '--json'])
  if (run.code !== 0) throw new Error(run.stderr)
  return run
}

async function register({ key }: TestAccount, path: string, at = receiver, event_type = 'sms_mo') {
  const form = { target_url: at.url(path), event_type, request_method: 'JSON' }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id as number
}

/** Submits a backlog, then 4 events every 50 ms, more than the receiver handles. `stop` resolves to the ids. */
async function startStream(accountId: number) {
  const ids: string[] = []
  const stopping = new AbortController()
  const send = async (count: number): Promise<void> => {
    const { accepted } = await gateway.submitEvents(
      ...Array.from({ length: count }, () => inboundSms(accountId)),
    )
    ids.push(...accepted)
  }
  await send(150)
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await send(4)
      await sleep(50)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
      return ids.toSorted()
    },
  }
}

function idsAt(path: string, at = receiver): string[] {
  return at
    .at(path)
    .map(({ headers }) => String(headers['webhook-id']))
    .toSorted()
}

function pending(hookId: number): Promise<Array<{ attempts: number; held: boolean }>> {
  return query('SELECT attempts, held FROM work WHERE hook_id = $1 AND lease IS NULL', hookId)
}

async function untilDelivered(hookId: number, ids: readonly string[]): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await query<{ event_id: string }>(
            `SELECT event_id FROM deliveries WHERE hook_id = $1 AND state = 'delivered' AND attempts = 1`,
            hookId,
          )
        )
          .map(({ event_id }) => event_id)
          .toSorted(),
      { timeout: 60_000 },
    )
    .toEqual([...ids].toSorted())
}

/** Returns the time of the last arrival, relative to the end of the action. The tool ends after the commit. */
async function lastArrivalAfter(
  action: () => Promise<unknown>,
  path: string,
  at = receiver,
): Promise<number> {
  await action()
  const finishedAt = Date.now()
  await sleep(2_500)
  return Math.max(0, ...at.at(path).map((request) => request.at)) - finishedAt
}

test('a suspended account gets no request later than a second after suspension, and all of them when resumed', async () => {
  const [account, other] = [await hookline.account(), await hookline.account()]
  const [hook, otherHook] = [await register(account, '/suspended'), await register(other, '/beside')]
  const events = await startStream(account.accountId)
  const otherEvents = await startStream(other.accountId)
  await receiver.until(() => receiver.at('/suspended').length > 10, 30_000)
  const late = await lastArrivalAfter(
    () => admin('account', 'suspend', String(account.accountId)),
    '/suspended',
  )
  const ids = await events.stop()
  expect(late).toBeLessThan(1_000)
  const arrived = idsAt('/suspended')
  const waiting = await pending(hook)
  expect(waiting.every(({ attempts, held }) => attempts === 0 && !held)).toBe(true)
  expect(waiting.length).toBeGreaterThan(0)
  expect(arrived.length + waiting.length).toBe(ids.length)
  // The other account continues.
  const before = receiver.at('/beside').length
  await receiver.until(() => receiver.at('/beside').length > before + 20, 30_000)
  await untilDelivered(otherHook, await otherEvents.stop())

  delayMs = 0
  await admin('account', 'resume', String(account.accountId))
  await untilDelivered(hook, ids)
  expect(idsAt('/suspended')).toEqual(ids)
})

/** Ends a stop and waits until all deliveries have arrived once. */
async function endAndDeliver(
  stop: string,
  deliveries: ReadonlyArray<{ hook: number; path: string; ids: string[] }>,
) {
  delayMs = 0
  await admin('stop', 'end', stop)
  for (const { hook, path, ids } of deliveries) {
    await untilDelivered(hook, ids)
    expect(idsAt(path)).toEqual([...ids].toSorted())
  }
}

async function stopId(...args: string[]): Promise<string> {
  return String(JSON.parse((await admin('stop', 'create', ...args)).stdout).stop_id)
}

function get({ key }: TestAccount, path: string) {
  return call(`${hookline.url}/api${path}`, { key })
}

test('a stopped webhook and a stopped host get nothing, accounts see the reason, and others continue', async () => {
  const account = await hookline.account()
  const [hook, sibling, distant] = [
    await register(account, '/stopped'),
    await register(account, '/sibling'),
    await register(account, '/distant', otherReceiver),
  ]
  const byHook = ['--account', String(account.accountId), '--hook', String(hook)]
  const byHost = ['--host', new URL(otherReceiver.url()).host]
  const stop = await stopId(...byHook, '--reason', 'It floods our network.')
  const hostStop = await stopId(...byHost, '--reason', 'Maintenance until noon')
  await expect(admin('stop', 'create', ...byHook, '--reason', 'again')).rejects.toThrow('Already stopped')
  delayMs = 0
  const events = await startStream(account.accountId)
  const ids = await events.stop()
  await untilDelivered(sibling, ids)
  expect([idsAt('/stopped'), idsAt('/distant', otherReceiver)]).toEqual([[], []])

  await waitForCounts(hookline)
  const { health } = (await get(account, `/hooks/${hook}`)).json
  expect(health).toMatchObject({
    state: 'stopped',
    message: `Deliveries are stopped by the operator: It floods our network. ${ids.length} deliveries pending.`,
    stop: { scope: 'hook', reason: 'It floods our network.' },
    waiting: ids.length,
  })
  expect((await get(account, `/hooks/${distant}`)).json.health.stop).toMatchObject({ scope: 'host' })
  expect((await get(account, `/hooks/${sibling}`)).json.health).toMatchObject({
    state: 'healthy',
    stop: null,
  })
  const { alerts } = (await get(account, '/overview')).json
  const stopped = { kind: 'stopped', failure: null, disabled_reason: null }
  expect(alerts).toMatchObject([
    { ...stopped, hook_id: hook, counters: { stop: { reason: 'It floods our network.' } } },
    { ...stopped, hook_id: distant, counters: { stop: { reason: 'Maintenance until noon' } } },
  ])
  const { hooks } = (await get(account, `/events/${ids[0]}`)).json
  const [delivery] = hooks.find(({ hook_id }: { hook_id: number }) => hook_id === distant).deliveries
  const message = 'Deliveries are stopped by the operator: Maintenance until noon.'
  expect(delivery).toMatchObject({
    state: 'waiting',
    message,
    next_attempt_at: null,
    next_reason: null,
    next_message: message,
    stop_reason: 'Maintenance until noon',
  })

  await admin('stop', 'end', hostStop)
  await untilDelivered(distant, ids)
  expect(idsAt('/stopped')).toEqual([])
  await endAndDeliver(stop, [{ hook, path: '/stopped', ids }])
  await waitForCounts(hookline)
  expect((await get(account, `/hooks/${hook}`)).json.health).toMatchObject({ state: 'healthy', stop: null })
  const actions = await query<{ action: string; subject: string }>(
    `SELECT action, subject FROM audit WHERE account_id = $1 AND action LIKE 'stop.%' ORDER BY id`,
    account.accountId,
  )
  expect(actions.map(({ action, subject }) => [action, subject])).toEqual([
    ['stop.create', `hook:${hook}`],
    ['stop.end', `hook:${hook}`],
  ])
})

test('a stop of all deliveries covers every account, tests and replays, and appears in metrics, not in readiness', async () => {
  const [first, second] = [await hookline.account(), await hookline.account()]
  const [hook, other] = [await register(first, '/all-1'), await register(second, '/all-2')]
  delayMs = 0
  const replayed = await gateway.event(first.accountId)
  await untilDelivered(hook, [replayed])
  const stop = await stopId('--all', '--reason', 'Network maintenance')
  const post = (account: TestAccount, path: string, json: object = {}) =>
    call(`${hookline.url}/api${path}`, { method: 'POST', key: account.key, json })
  const [one, two] = [await gateway.event(first.accountId), await gateway.event(second.accountId)]
  const tested = (await post(first, `/hooks/${hook}/test`)).json.event_id as string
  const replay = await post(first, '/replays', {
    selection: { deliveries: [{ event_id: replayed, hook_id: hook }] },
  })
  expect(replay.status).toBe(200)
  // A claim has seen all of them, so the lanes are marked.
  await expect.poll(() => pending(hook), { timeout: 30_000 }).toHaveLength(3)
  await expect
    .poll(() => query('SELECT FROM lane WHERE stop_id = $1 AND hook_id = ANY ($2)', stop, [hook, other]), {
      timeout: 30_000,
    })
    .toHaveLength(2)
  expect([idsAt('/all-1'), idsAt('/all-2')]).toEqual([[replayed], []])
  const metrics = await call(`${hookline.service.internalUrl}/metrics`)
  expect(metrics.text).toMatch(/^hookline_all_sends_stopped 1$/m)
  expect((await call(`${hookline.service.internalUrl}/health/ready`)).status).toBe(200)

  await admin('stop', 'end', stop)
  await expect
    .poll(() => idsAt('/all-1'), { timeout: 30_000 })
    .toEqual([replayed, replayed, one, tested].toSorted())
  await expect.poll(() => idsAt('/all-2'), { timeout: 30_000 }).toEqual([two])
})

test('a released webhook gets a slow start, and one with an open circuit breaker gets a probe', async () => {
  const [healthy, broken] = [await hookline.account(), await hookline.account()]
  const [hook, failed] = [await register(healthy, '/slow-start'), await register(broken, '/open')]
  failing.add('/open')
  delayMs = 0
  await gateway.submitEvents(...Array.from({ length: 8 }, () => inboundSms(broken.accountId)))
  await expect
    .poll(() => query('SELECT FROM lane WHERE hook_id = $1 AND open_seconds > 0', failed), {
      timeout: 30_000,
    })
    .toHaveLength(1)
  const stop = await stopId('--all', '--reason', 'test')
  delayMs = slowMs
  const ids = await (await startStream(healthy.accountId)).stop()
  await query(`UPDATE lane SET not_before = now() WHERE hook_id = $1`, failed)
  await expect
    .poll(() => query('SELECT FROM lane WHERE stop_id = $1', stop), { timeout: 30_000 })
    .toHaveLength(2)
  const sent = receiver.at('/open').length
  await admin('stop', 'end', stop)
  await receiver.until(() => receiver.at('/slow-start').length > 0, 30_000)
  const [first] = receiver.at('/slow-start')
  await expect.poll(() => receiver.at('/open').length, { timeout: 30_000 }).toBeGreaterThan(sent)
  const [lane] = await query<{ open_seconds: number }>(
    'SELECT open_seconds FROM lane WHERE hook_id = $1',
    failed,
  )
  expect(lane?.open_seconds).toBeGreaterThan(0)
  await untilDelivered(hook, ids)
  // Two workers with one attempt at a time each. An attempt takes 400 ms, so each worker starts at most one in 350 ms.
  const early = receiver.at('/slow-start').filter(({ at }) => at - (first?.at ?? 0) < 350)
  expect(early.length).toBeLessThanOrEqual(2)
  failing.clear()
})

test('voice events that waited too long expire on release; deliveries due for 7 days expire while stopped', async () => {
  const account = await hookline.account()
  const [calls, texts] = [
    await register(account, '/calls', receiver, 'voice_call'),
    await register(account, '/texts'),
  ]
  delayMs = 0
  const stop = await stopId('--account', String(account.accountId), '--reason', 'test')
  const voiceCall = { account_id: account.accountId, type: 'voice_call', data: samples.voice_call[0] }
  expect((await gateway.submitEvents(voiceCall)).accepted).toHaveLength(1)
  const [old, recent] = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  await expect
    .poll(() => query('SELECT FROM lane WHERE stop_id = $1', stop), { timeout: 30_000 })
    .toHaveLength(2)
  await query(`UPDATE work SET accepted_at = now() - interval '40 seconds' WHERE hook_id = $1`, calls)
  await query(
    `UPDATE work SET accepted_at = now() - interval '8 days', due_at = now() - interval '8 days' WHERE event_id = $1`,
    old,
  )
  await expireStopped(hookline.db, new Date())
  const outcomes = () =>
    query(`SELECT hook_id, state, reason FROM deliveries WHERE account_id = $1`, account.accountId)
  expect(await outcomes()).toEqual([{ hook_id: texts, state: 'expired', reason: 'stopped_too_long' }])
  await admin('stop', 'end', stop)
  await expect.poll(() => idsAt('/texts'), { timeout: 30_000 }).toEqual([recent])
  await expect
    .poll(outcomes, { timeout: 30_000 })
    .toContainEqual({ hook_id: calls, state: 'expired', reason: 'too_late' })
  expect(idsAt('/calls')).toEqual([])
})
