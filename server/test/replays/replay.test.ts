/** Tests replays with an api, two workers, real receivers, and processes killed in the middle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { pruneReplays } from '../../src/replays/replay-store.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 180_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let workers: ServiceProcess[]
/** Responses by path. The default is 204. */
const responses = new Map<string, (request: ReceivedRequest) => number | Promise<number>>()

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  workers = await Promise.all([1, 2].map(() => hookline.startAnother({}, 'worker')))
  gateway = await createGateway(hookline)
  receiver = await startReceiver(async (request, response) => {
    response.statusCode = (await responses.get(request.url)?.(request)) ?? 204
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function post({ key }: { key: string }, path: string, json: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

async function register(account: TestAccount, path: string, fields: object = {}): Promise<number> {
  const hook = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...fields }
  return (await post(account, '/hooks', hook)).json.id
}

/** Submits events and waits until their first round is finished. */
async function deliverEvents(account: TestAccount, hookId: number, count: number): Promise<string[]> {
  const accepted: string[] = []
  for (let submitted = 0; submitted < count; submitted += 500) {
    const batch = Array.from({ length: Math.min(500, count - submitted) }, () =>
      inboundSms(account.accountId),
    )
    accepted.push(...(await gateway.submitEvents(...batch)).accepted)
  }
  await expect.poll(() => outcomesOf(hookId, 1), { timeout: 90_000, interval: 200 }).toHaveLength(count)
  return accepted
}

function outcomesOf(hookId: number, round: number): Promise<Array<{ event_id: string; state: string }>> {
  return hookline.database.query(
    'SELECT event_id, state, reason, attempts FROM deliveries WHERE hook_id = $1 AND round = $2 ORDER BY event_id',
    [hookId, round],
  )
}

async function readReplay({ key }: TestAccount, id: number) {
  return (await call(`${hookline.url}/api/replays/${id}`, { key })).json.replay
}

async function start(account: TestAccount, selection: object, max_per_second = 1_000) {
  const { status, json } = await post(account, '/replays', { selection, max_per_second })
  expect(status, json?.error_message).toBe(200)
  return json.replay
}

async function untilState(account: TestAccount, id: number, state: string, timeout = 120_000) {
  await expect.poll(async () => (await readReplay(account, id)).state, { timeout, interval: 100 }).toBe(state)
  return readReplay(account, id)
}

function replayRequests(path: string): ReceivedRequest[] {
  return receiver.at(path).filter(({ headers }) => headers['x-hookline-replay'] !== undefined)
}

function idOf({ headers }: ReceivedRequest): string {
  return String(headers['webhook-id'])
}

test('a replay of one delivery has the same id and body, a replay header and a new round', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/again')
  const [event = ''] = await deliverEvents(account, hook, 1)
  const selection = { deliveries: [{ event_id: event, hook_id: hook }] }
  expect((await post(account, '/replays/count', { selection })).json).toMatchObject({
    count: 1,
    is_exact: true,
  })
  for (const round of [2, 3]) {
    const created = await start(account, selection)
    expect(created).toMatchObject({ kind: 'deliveries', total: 1, created_by: `key:${account.keyId}` })
    expect(created.selected).toBe(`One delivery, to webhook ${hook}.`)
    expect(created.selection).toEqual({ kind: 'deliveries', count: 1, hook_id: hook })
    expect(await untilState(account, created.id, 'done')).toMatchObject({
      total: 1,
      started: 1,
      skipped: 0,
      delivered: 1,
      failed: 0,
      finished_at: expect.any(String),
      message: 'Done: 1 delivered, 0 failed.',
    })
    expect(await outcomesOf(hook, round)).toMatchObject([
      { event_id: event, state: 'delivered', attempts: 1 },
    ])
  }
  const requests = receiver.at('/again')
  expect(requests.map(({ headers }) => headers['x-hookline-replay'])).toEqual([undefined, '1', '2'])
  expect(new Set(requests.map(idOf))).toEqual(new Set([event]))
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
})

test('a replay is retried like any delivery, and a time-sensitive event does not expire', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/urgent', { event_type: 'voice_call' })
  const data = { id: '1', caller: '491', system: '492', time: '1' }
  responses.set('/urgent', () => 500)
  const { accepted } = await gateway.submitEvents({ account_id: account.accountId, type: 'voice_call', data })
  await expect
    .poll(() => outcomesOf(hook, 1), { timeout: 60_000 })
    .toMatchObject([{ state: 'failed', attempts: 4 }])
  const before = receiver.at('/urgent').length
  responses.set('/urgent', () => (receiver.at('/urgent').length === before + 1 ? 503 : 204))
  // Accepted longer ago than such an event is valid.
  await hookline.database.query(
    `UPDATE events SET accepted_at = accepted_at - interval '31 seconds' WHERE id = $1`,
    [accepted[0]],
  )
  const { id } = await start(account, { deliveries: [{ event_id: accepted[0], hook_id: hook }] })
  expect(await untilState(account, id, 'done')).toMatchObject({ delivered: 1, failed: 0 })
  expect(await outcomesOf(hook, 2)).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

test('a replay of a search sends exactly its results', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/search', { request_method: 'GET' })
  const other = await register(account, '/working')
  // As the query of a GET these are too long, so every attempt would fail.
  const long = inboundSms(account.accountId, { text: 'x'.repeat(9_000) })
  const { accepted: failed } = await gateway.submitEvents(long, long, long, long)
  await gateway.submitEvents(...Array.from({ length: 6 }, () => inboundSms(account.accountId)))
  for (const id of [hook, other])
    await expect.poll(() => outcomesOf(id, 1), { timeout: 60_000 }).toHaveLength(10)
  await post(account, `/hooks/${hook}`, { request_method: 'JSON' })

  const selection = { search: { hook_id: hook, state: 'failed' } }
  const count = async () => (await post(account, '/replays/count', { selection })).json
  expect(await count()).toMatchObject({ count: 4, is_exact: true })
  const created = await start(account, selection)
  expect(created).toMatchObject({ kind: 'search', state: 'counting' })
  expect(created.selected).toMatch(`All results of a search: failed, webhook ${hook}, before `)
  expect(created.selection).toEqual({
    kind: 'search',
    search: { state: 'failed', hook_id: hook, to: expect.any(String) },
  })
  expect(await untilState(account, created.id, 'done')).toMatchObject({
    total: 4,
    started: 4,
    skipped: 0,
    delivered: 4,
    failed: 0,
  })
  expect(replayRequests('/search').map(idOf).toSorted()).toEqual(failed.toSorted())
  expect(replayRequests('/working')).toEqual([])
  expect(await outcomesOf(other, 2)).toEqual([])
  // Deliveries that succeeded since are no longer failed.
  expect(await count()).toMatchObject({ count: 0, is_exact: true })
})

test('of selected events, only deliveries that match the filter by their last round are replayed', async () => {
  const account = await hookline.account()
  const stranger = await hookline.account()
  responses.set('/picked', () => 201)
  const picked = await register(account, '/picked')
  const other = await register(account, '/not-picked')
  const fixed = await register(account, '/mended', { request_method: 'GET' })
  // As the query of a GET these are too long, so every attempt would fail.
  const long = inboundSms(account.accountId, { text: 'x'.repeat(9_000) })
  const { accepted: events } = await gateway.submitEvents(long, long)
  for (const id of [picked, other, fixed])
    await expect.poll(() => outcomesOf(id, 1), { timeout: 60_000 }).toHaveLength(2)
  const [first = ''] = events
  const count = async (selection: object, { key } = account) =>
    (await post({ key }, '/replays/count', { selection })).json.count
  const counts = [
    { filter: {}, count: 6 },
    { filter: { state: 'failed' }, count: 2 },
    { filter: { status: 201 }, count: 2 },
    { filter: { reason: 'address_too_long' }, count: 2 },
    { filter: { hook_id: other }, count: 2 },
    { filter: { hook_id: other, state: 'failed' }, count: 0 },
    { filter: { q: String(other) }, count: 2 },
    { filter: { q: 'nothing of them' }, count: 0 },
    { filter: { state: 'waiting' }, count: 0 },
  ]
  for (const { filter, count: expected } of counts) {
    expect(await count({ events, ...filter }), JSON.stringify(filter)).toBe(expected)
    expect(await count({ events, ...filter }, stranger)).toBe(0)
  }

  const single = await start(account, { events: [first.toUpperCase(), first], status: 201 })
  expect(single).toMatchObject({ kind: 'deliveries', total: 1, event_id: first, hook_id: picked })
  await untilState(account, single.id, 'done')
  expect(replayRequests('/picked').map(idOf)).toEqual([first])

  await post(account, `/hooks/${fixed}`, { request_method: 'JSON' })
  const failed = await start(account, { events, state: 'failed' })
  expect(failed).toMatchObject({ total: 2, event_id: null, hook_id: fixed })
  expect(await untilState(account, failed.id, 'done')).toMatchObject({ delivered: 2, skipped: 0 })
  expect(replayRequests('/mended').map(idOf).toSorted()).toEqual(events.toSorted())
  expect(replayRequests('/not-picked')).toEqual([])
  // Deliveries that succeeded since are no longer failed, and are not found as such.
  for (const [name, value] of Object.entries({ state: 'failed', reason: 'address_too_long' })) {
    expect(await count({ events, [name]: value })).toBe(0)
    const found = await call(`${hookline.url}/api/events?${name}=${value}`, { key: account.key })
    expect(found.json.events).toEqual([])
  }
  expect(await count({ events, state: 'delivered' })).toBe(6)
})

test('deliveries and replays of another account cannot be accessed by any selection', async () => {
  const account = await hookline.account()
  const stranger = await hookline.account()
  const hook = await register(account, '/owned')
  const strangerHook = await register(stranger, '/strangers')
  const [event = ''] = await deliverEvents(account, hook, 1)
  const selection = {
    deliveries: [
      { event_id: event, hook_id: hook },
      { event_id: event, hook_id: strangerHook },
    ],
  }
  expect((await post(stranger, '/replays/count', { selection })).json.count).toBe(0)
  const { id } = await start(stranger, selection)
  expect(await untilState(stranger, id, 'done')).toMatchObject({ started: 0, skipped: 2 })
  const searching = await start(stranger, { search: { hook_id: hook } })
  expect(await untilState(stranger, searching.id, 'done')).toMatchObject({ total: 0, started: 0 })
  expect(receiver.at('/strangers')).toEqual([])
  expect(replayRequests('/owned')).toEqual([])

  const { id: owned } = await start(account, { deliveries: [{ event_id: event, hook_id: hook }] }, 1)
  for (const action of ['pause', 'resume', 'cancel']) {
    const foreign = await post(stranger, `/replays/${owned}/${action}`)
    const missing = await post(stranger, `/replays/99999999/${action}`)
    expect([foreign.status, foreign.json.code]).toEqual([404, 1102])
    expect(foreign.text.replace(`Replay ${owned} `, 'X')).toBe(missing.text.replace('Replay 99999999 ', 'X'))
  }
  expect((await call(`${hookline.url}/api/replays/${owned}`, { key: stranger.key })).status).toBe(404)
  const listed = await call(`${hookline.url}/api/replays`, { key: stranger.key })
  expect(listed.json.replays.map((replay: { id: number }) => replay.id)).toEqual([searching.id, id])
  expect(await untilState(account, owned, 'done')).toMatchObject({ delivered: 1 })
})

test('a key without the replay scope is rejected, and so is a search by a key without access to events', async () => {
  const account = await hookline.account()
  const reader = await hookline.key(account.accountId, { scopes: ['events:read', 'hooks'] })
  const replayOnly = await hookline.key(account.accountId, { scopes: ['deliveries:replay'] })
  const event = '019a8716-a680-7000-8000-000000000000'
  const named = { deliveries: [{ event_id: event, hook_id: 1 }] }
  for (const path of ['/replays', '/replays/count', '/replays/1/pause', '/replays/1/cancel'])
    expect((await post(reader, path, { selection: named })).json.code).toBe(902)
  for (const path of ['/replays', '/replays/count']) {
    for (const selection of [{ search: { number: '49170' } }, { events: [event], state: 'failed' }])
      expect((await post(replayOnly, path, { selection })).json.code).toBe(902)
    expect((await post(replayOnly, path, { selection: named })).status).toBe(200)
    for (const selection of [
      {},
      { deliveries: [] },
      { search: { color: 'red' } },
      { ...named, search: {} },
      { events: [] },
      { events: [event], number: '49170' },
      { events: [event], q: event },
    ])
      expect((await post(account, path, { selection })).json.code).toBe(1012)
  }
})

test('a process that dies in the middle loses no delivery and starts none twice, and the counts are correct', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/killed')
  const events = await deliverEvents(account, hook, 1_500)
  const { id } = await start(account, { search: { hook_id: hook } }, 300)
  await receiver.until(() => replayRequests('/killed').length > 100, 60_000)
  const killed = workers.shift()
  killed?.child.kill('SIGKILL')
  workers.push(await hookline.startAnother({}, 'worker'))
  await receiver.until(() => replayRequests('/killed').length > 400, 60_000)
  workers.shift()?.child.kill('SIGKILL')
  workers.push(await hookline.startAnother({}, 'worker'))
  hookline.service.child.kill('SIGKILL')
  const api = await hookline.startAnother({}, 'api')
  hookline.url = api.url
  gateway = await createGateway(hookline, api.internalUrl)

  expect(await untilState(account, id, 'done', 150_000)).toMatchObject({
    total: 1_500,
    started: 1_500,
    skipped: 0,
    delivered: 1_500,
    failed: 0,
  })
  expect((await outcomesOf(hook, 2)).map(({ event_id }) => event_id)).toEqual(events.toSorted())
  expect(await outcomesOf(hook, 3)).toEqual([])
  const counts = Map.groupBy(replayRequests('/killed').map(idOf), (event) => event)
  expect(counts.size).toBe(1_500)
  // Only requests in flight in a killed worker are sent twice, at most as many as a hook can have in flight.
  const twice = [...counts.values()].filter(({ length }) => length > 1)
  expect(twice.length).toBeLessThanOrEqual(32)
  expect(await hookline.database.query('SELECT FROM work WHERE hook_id = $1', [hook])).toEqual([])
})

test('no attempt of a replay, including retries, starts later than a second after a pause or cancellation', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/paused')
  const events = await deliverEvents(account, hook, 600)
  // Slower than the replay, so that some deliveries wait. Every third first attempt fails, so that some wait for a retry.
  const seen = new Set<string>()
  responses.set('/paused', async (request) => {
    await sleep(100)
    const isFirst = !seen.has(idOf(request))
    seen.add(idOf(request))
    return isFirst && seen.size % 3 === 0 ? 500 : 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 200)
  await receiver.until(() => replayRequests('/paused').length > 40, 60_000)
  const paused = await post(account, `/replays/${id}/pause`)
  const pausedAt = Date.now()
  expect(paused.json.replay.state).toBe('paused')
  await sleep(8_000)
  const startedAfter = (at: number) =>
    hookline.database.query('SELECT FROM all_attempts WHERE hook_id = $1 AND round = 2 AND started_at > $2', [
      hook,
      new Date(at + 1_000),
    ])
  expect(await startedAfter(pausedAt)).toEqual([])
  const stopped = await readReplay(account, id)
  expect(stopped).toMatchObject({ state: 'paused', finished_at: null })
  expect(stopped.started).toBeLessThan(600)
  expect(await outcomesOf(hook, 2)).toHaveLength(stopped.delivered + stopped.failed)
  const waiting = await hookline.database.query<{ event_id: string }>(
    'SELECT event_id FROM work WHERE hook_id = $1 LIMIT 1',
    [hook],
  )
  // Events of a paused replay can still be read.
  expect(
    (await call(`${hookline.url}/api/events/${waiting[0]?.event_id}`, { key: account.key })).status,
  ).toBe(200)

  const before = replayRequests('/paused').length
  await post(account, `/replays/${id}/resume`)
  await receiver.until(() => replayRequests('/paused').length > before + 20, 60_000)
  const cancelled = await post(account, `/replays/${id}/cancel`)
  const cancelledAt = Date.now()
  expect(cancelled.json.replay.state).toBe('cancelled')
  await expect
    .poll(async () => (await readReplay(account, id)).finished_at, { timeout: 60_000 })
    .not.toBe(null)
  await sleep(7_000)
  expect(await startedAfter(cancelledAt)).toEqual([])
  const finished = await readReplay(account, id)
  const outcomes = await outcomesOf(hook, 2)
  expect(outcomes).toHaveLength(finished.started)
  expect(outcomes.filter(({ state }) => state === 'delivered')).toHaveLength(finished.delivered)
  expect(outcomes.filter(({ state }) => state === 'cancelled')).toHaveLength(finished.failed)
  expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['delivered', 'cancelled']))
  expect(finished.started).toBeLessThan(600)
  expect(events).toHaveLength(600)
  expect(await hookline.database.query('SELECT FROM work WHERE hook_id = $1', [hook])).toEqual([])
  for (const action of ['pause', 'resume', 'cancel'])
    expect((await post(account, `/replays/${id}/${action}`)).json.code).toBe(1105)
})

test('fresh events do not wait behind a replay', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/busy')
  await deliverEvents(account, hook, 300)
  responses.set('/busy', async () => {
    await sleep(250)
    return 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 1_000)
  await receiver.until(() => replayRequests('/busy').length > 20, 60_000)
  // Counts deliveries that went first, which does not depend on the speed of the machine.
  const replaysBefore: number[] = []
  for (let count = 0; count < 5; count++) {
    const before = replayRequests('/busy').length
    if (count === 0) expect(before).toBeLessThan(150)
    const event = await gateway.event(account.accountId)
    const isFresh = (request: ReceivedRequest): boolean =>
      idOf(request) === event && request.headers['x-hookline-replay'] === undefined
    await receiver.until((requests) => requests.some(isFresh), 30_000)
    replaysBefore.push(replayRequests('/busy').length - before)
  }
  // With 16 at a time, a fresh event is in one of the next batches, not in the last of nearly twenty.
  expect(Math.max(...replaysBefore)).toBeLessThan(100)
  expect(await untilState(account, id, 'done')).toMatchObject({ delivered: 300 })
})

test('a replay does not outrun a slower receiver', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/slow')
  await deliverEvents(account, hook, 300)
  responses.set('/slow', async () => {
    await sleep(1_000)
    return 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 50)
  let maxPending = 0
  await expect
    .poll(
      async () => {
        const waiting = await hookline.database.query(
          'SELECT FROM work WHERE hook_id = $1 AND attempts = 0',
          [hook],
        )
        maxPending = Math.max(maxPending, waiting.length)
        return (await readReplay(account, id)).state
      },
      { timeout: 120_000, interval: 100 },
    )
    .toBe('done')
  expect(await readReplay(account, id)).toMatchObject({ delivered: 300 })
  // Two seconds of the rate plus one step. The receiver handles 16 per second, so without a limit it would be 200.
  expect(maxPending).toBeGreaterThan(50)
  expect(maxPending).toBeLessThanOrEqual(113)
})

test('a replay respects its rate', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/rated')
  await deliverEvents(account, hook, 60)
  const { id } = await start(account, { search: { hook_id: hook } }, 20)
  await untilState(account, id, 'done')
  const times = replayRequests('/rated').map(({ at }) => at)
  expect(times).toHaveLength(60)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2_000)
})

test('two concurrent replays of the same deliveries use distinct rounds', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/both')
  const events = await deliverEvents(account, hook, 200)
  const replays = await Promise.all([1, 2].map(() => start(account, { search: { hook_id: hook } })))
  const finished = []
  for (const { id } of replays) finished.push(await untilState(account, id, 'done'))
  for (const replay of finished) {
    expect(replay.started + replay.skipped).toBe(200)
    expect(replay.delivered).toBe(replay.started)
  }
  const rounds = await hookline.database.query<{ event_id: string; rounds: number[] }>(
    `SELECT event_id, array_agg(round ORDER BY round) AS rounds FROM deliveries WHERE hook_id = $1 GROUP BY event_id`,
    [hook],
  )
  expect(rounds).toHaveLength(events.length)
  for (const { rounds: numbers } of rounds) expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  const sent = rounds.reduce((sum, { rounds: numbers }) => sum + numbers.length - 1, 0)
  expect(sent).toBe(finished.reduce((sum, { started }) => sum + started, 0))
  expect(replayRequests('/both')).toHaveLength(sent)
})

test('deliveries to a disabled or deleted webhook are skipped, and the count says so before', async () => {
  const account = await hookline.account()
  const disabled = await register(account, '/off')
  const deleted = await register(account, '/gone')
  const [event = ''] = await deliverEvents(account, disabled, 1)
  await expect.poll(() => outcomesOf(deleted, 1), { timeout: 30_000 }).toHaveLength(1)
  await post(account, `/hooks/${disabled}/disable`)
  await call(`${hookline.url}/api/hooks`, { method: 'DELETE', key: account.key, json: { id: deleted } })
  const named = [disabled, deleted].map((hook_id) => ({ event_id: event, hook_id }))
  const selection = { deliveries: [...named, { event_id: event, hook_id: 2_000_000_000 }] }
  const reasons = { disabled: 1, deleted: 1, pending: 0, missing: 1 }
  expect((await post(account, '/replays/count', { selection })).json).toMatchObject({
    count: 0,
    skipped: reasons,
    disabled_hooks: [{ id: disabled }],
  })
  const search = { search: { hook_id: disabled, state: 'delivered' } }
  expect((await post(account, '/replays/count', { selection: search })).json).toMatchObject({
    count: 0,
    is_exact: true,
    skipped: { disabled: 1, deleted: 0, pending: 0, missing: 0 },
  })
  const { id } = await start(account, selection)
  expect(await untilState(account, id, 'done')).toMatchObject({
    started: 0,
    skipped: 3,
    delivered: 0,
    skipped_reasons: reasons,
    message: 'Nothing sent. 3 skipped: 1 webhook disabled, 1 webhook deleted, 1 no longer available.',
  })
})

test('a replay shows its rate and the time left', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/estimated')
  await deliverEvents(account, hook, 100)
  const { id } = await start(account, { search: { hook_id: hook } }, 10)
  await expect
    .poll(async () => (await readReplay(account, id)).delivered, { timeout: 30_000, interval: 100 })
    .toBeGreaterThan(30)
  const replay = await readReplay(account, id)
  // Ten per second, measured while other tests may run.
  expect(replay.per_second).toBeGreaterThan(3)
  expect(replay.per_second).toBeLessThan(20)
  const left = 100 - replay.delivered
  expect(replay.seconds_left).toBeGreaterThanOrEqual(Math.floor(left / 20))
  expect(replay.seconds_left).toBeLessThanOrEqual(Math.ceil(left / 3))
  expect(await untilState(account, id, 'done')).toMatchObject({ per_second: null, seconds_left: null })
})

test('a replay that makes no progress gives the reason, and a finished one the reasons of its failures', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/stuck')
  const events = await deliverEvents(account, hook, 3)
  responses.set('/stuck', () => 500)
  const { id } = await start(account, { search: { hook_id: hook } })
  const waitingFor = (reason: string, count: number) =>
    expect
      .poll(async () => (await readReplay(account, id)).waiting, { timeout: 30_000, interval: 100 })
      .toEqual([{ reason, count, hook_id: hook }])
  await waitingFor('retrying', 3)
  await hookline.database.query(
    `UPDATE lane SET open_seconds = 60, not_before = now() + interval '1 hour' WHERE hook_id = $1`,
    [hook],
  )
  await waitingFor('circuit_open', 3)
  expect(await readReplay(account, id)).toMatchObject({
    seconds_left: null,
    message:
      '3 of 3 deliveries started, 0 delivered, 0 failed. 3 pending. Waiting: 3 for the circuit breaker.',
  })
  await post(account, `/hooks/${hook}/disable`)
  await waitingFor('disabled', 3)
  await post(account, `/replays/${id}/cancel`)
  await expect
    .poll(async () => (await readReplay(account, id)).finished_at, { timeout: 30_000 })
    .not.toBe(null)
  expect(await readReplay(account, id)).toMatchObject({
    waiting: [],
    failures: [{ state: 'cancelled', reason: 'replay_cancelled', count: events.length }],
  })
})

test('a replay of held events can be canceled, and the remaining events are held again', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/held')
  await post(account, `/hooks/${hook}/disable`)
  const accepted: string[] = []
  for (let calls = 0; calls < 2; calls++)
    accepted.push(
      ...(await gateway.submitEvents(...Array.from({ length: 500 }, () => inboundSms(account.accountId))))
        .accepted,
    )
  const readHeld = () => hookline.database.query('SELECT FROM work WHERE hook_id = $1 AND held', [hook])
  await expect.poll(readHeld, { timeout: 60_000 }).toHaveLength(1_000)
  const first = await post(account, `/hooks/${hook}/enable`, { held: 'deliver' })
  expect(first.json.held).toBe(1_000)
  await receiver.until(() => receiver.at('/held').length > 50, 60_000)
  await post(account, `/replays/${first.json.replay_id}/cancel`)
  await expect
    .poll(async () => (await readReplay(account, first.json.replay_id)).finished_at, { timeout: 60_000 })
    .not.toBe(null)
  const stopped = await readReplay(account, first.json.replay_id)
  const remaining = (await readHeld()).length
  expect(remaining).toBeGreaterThan(0)
  expect(remaining + (await outcomesOf(hook, 1)).length).toBe(1_000)
  expect(stopped.delivered).toBe(1_000 - remaining)

  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json).toMatchObject({ held: remaining })
  expect(await untilState(account, second.json.replay_id, 'done')).toMatchObject({
    kind: 'held',
    selected: `Held events of webhook ${hook}.`,
    total: remaining,
    delivered: remaining,
  })
  expect((await outcomesOf(hook, 1)).map(({ event_id }) => event_id)).toEqual(accepted.toSorted())
  expect(replayRequests('/held')).toEqual([])
  expect(receiver.at('/held').map(idOf).toSorted()).toEqual(accepted.toSorted())
})

test('a webhook disabled and enabled during a paused replay gets the replay only after it is resumed', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/twice-stopped')
  const events = await deliverEvents(account, hook, 200)
  responses.set('/twice-stopped', async () => {
    await sleep(200)
    return 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 1_000)
  await receiver.until(() => replayRequests('/twice-stopped').length > 20, 60_000)
  await post(account, `/replays/${id}/pause`)
  await post(account, `/hooks/${hook}/disable`)
  const waiting = (which: string) =>
    hookline.database.query(`SELECT FROM work WHERE hook_id = $1 AND ${which}`, [hook])
  await expect.poll(() => waiting('NOT held'), { timeout: 30_000 }).toEqual([])
  const fresh = await gateway.event(account.accountId)
  await expect.poll(() => waiting('replay_id IS NULL'), { timeout: 30_000 }).toHaveLength(1)
  const enabledAt = Date.now()
  const enabled = await post(account, `/hooks/${hook}/enable`)
  expect(await untilState(account, enabled.json.replay_id, 'done')).toMatchObject({
    started: 1,
    delivered: 1,
  })
  expect(receiver.at('/twice-stopped').some((request) => idOf(request) === fresh)).toBe(true)
  expect(replayRequests('/twice-stopped').filter(({ at }) => at > enabledAt)).toEqual([])
  await post(account, `/replays/${id}/resume`)
  const finished = await untilState(account, id, 'done')
  expect(finished.delivered).toBe(finished.started)
  expect((await outcomesOf(hook, 2)).length).toBe(finished.started)
  expect(finished.started + finished.skipped).toBe(events.length)
})

test('an account has a limited number of concurrent replays', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/many')
  const [event = ''] = await deliverEvents(account, hook, 1)
  const selection = { deliveries: [{ event_id: event, hook_id: hook }] }
  const created = []
  for (let count = 0; count < 10; count++) {
    const { id } = await start(account, selection)
    await post(account, `/replays/${id}/pause`)
    created.push(id)
  }
  const open = await hookline.database.query<{ open: number }>(
    'SELECT count(*)::integer AS open FROM replays WHERE account_id = $1 AND finished_at IS NULL',
    [account.accountId],
  )
  // Some replays can finish before they are paused.
  const rejected = []
  for (let count = open[0]?.open ?? 0; count <= 10; count++) {
    const response = await post(account, '/replays', {
      selection: { search: { hook_id: hook } },
      max_per_second: 1,
    })
    if (response.status === 200) await post(account, `/replays/${response.json.replay.id}/pause`)
    else rejected.push([response.status, response.json.code])
  }
  expect(rejected.at(-1)).toEqual([409, 1206])
})

test('a finished replay is pruned after the ledger retention, an unfinished one never', async () => {
  const account = await hookline.account()
  const insertReplay = async (state: string, finishedAt: Date | null): Promise<number> => {
    const [row] = await hookline.database.query<{ id: number }>(
      `INSERT INTO replays (account_id, kind, selection, state, max_per_second, created_by, is_counted, is_read, created_at,
                            next_at, finished_at)
       VALUES ($1, 'held', '{"kind":"held","hook_id":1}', $2, 1, 'operator', true, true, 'epoch', 'infinity', $3)
       RETURNING id`,
      [account.accountId, state, finishedAt],
    )
    return row?.id ?? 0
  }
  const limit = new Date('2026-01-02T00:00:00Z')
  for (const state of ['done', 'cancelled']) await insertReplay(state, new Date('2026-01-01T23:59:59Z'))
  const kept = [await insertReplay('done', limit), await insertReplay('paused', null)]
  await pruneReplays(hookline.db, limit)
  const rows = await hookline.database.query<{ id: number }>(
    'SELECT id FROM replays WHERE account_id = $1 ORDER BY id',
    [account.accountId],
  )
  expect(rows.map(({ id }) => id)).toEqual(kept)
})
