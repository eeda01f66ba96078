/** Deliveries that are sent again: an api, two workers, real receivers, and processes that are killed in the middle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { forgetReplays } from '../src/pipeline/replays/replay-store.ts'
import { call, type CallAnswer } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 180_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
let workers: ServiceProcess[]
/** How each path is answered; 204 unless something else is said. */
const answers = new Map<string, (request: ReceivedRequest) => number | Promise<number>>()

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  workers = await Promise.all([1, 2].map(() => world.startAnother({}, 'worker')))
  gateway = await createGateway(world)
  receiver = await startReceiver(async (request, response) => {
    response.statusCode = (await answers.get(request.url)?.(request)) ?? 204
    response.end()
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function post({ key }: { key: string }, path: string, json: object = {}): Promise<CallAnswer> {
  return call(`${world.url}/api${path}`, { method: 'POST', key, json })
}

async function register(account: TestAccount, path: string, more: object = {}): Promise<number> {
  const hook = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...more }
  return (await post(account, '/hooks', hook)).json.id
}

/** Events, delivered or ended otherwise once. */
async function deliveredOnce(account: TestAccount, hookId: number, count: number): Promise<string[]> {
  const accepted: string[] = []
  for (let done = 0; done < count; done += 500) {
    const some = Array.from({ length: Math.min(500, count - done) }, () => inboundSms(account.accountId))
    accepted.push(...(await gateway.handIn(...some)).accepted)
  }
  await expect.poll(() => endsOf(hookId, 1), { timeout: 90_000, interval: 200 }).toHaveLength(count)
  return accepted
}

function endsOf(hookId: number, round: number): Promise<Array<{ event_id: string; state: string }>> {
  return world.database.query(
    'SELECT event_id, state, reason, attempts FROM deliveries WHERE hook_id = $1 AND round = $2 ORDER BY event_id',
    [hookId, round],
  )
}

async function replayOf({ key }: TestAccount, id: number) {
  return (await call(`${world.url}/api/replays/${id}`, { key })).json.replay
}

async function start(account: TestAccount, selection: object, most_per_second = 1_000) {
  const { status, json } = await post(account, '/replays', { selection, most_per_second })
  expect(status, json?.error_message).toBe(200)
  return json.replay
}

async function untilState(account: TestAccount, id: number, state: string, timeout = 120_000) {
  await expect.poll(async () => (await replayOf(account, id)).state, { timeout, interval: 100 }).toBe(state)
  return replayOf(account, id)
}

function replayed(path: string): ReceivedRequest[] {
  return receiver.at(path).filter(({ headers }) => headers['x-hookline-replay'] !== undefined)
}

function idOf({ headers }: ReceivedRequest): string {
  return String(headers['webhook-id'])
}

test('one delivery is sent again: same id, same body, a header that says so, a round of its own', async () => {
  const account = await world.account()
  const hook = await register(account, '/again')
  const [event = ''] = await deliveredOnce(account, hook, 1)
  const selection = { deliveries: [{ event_id: event, hook_id: hook }] }
  expect((await post(account, '/replays/count', { selection })).json).toMatchObject({
    count: 1,
    is_exact: true,
  })
  for (const round of [2, 3]) {
    const made = await start(account, selection)
    expect(made).toMatchObject({ kind: 'deliveries', total: 1, created_by: `key:${account.keyId}` })
    expect(made.selected).toBe(`One delivery, to webhook ${hook}.`)
    expect(await untilState(account, made.id, 'done')).toMatchObject({
      total: 1,
      started: 1,
      skipped: 0,
      delivered: 1,
      failed: 0,
      finished_at: expect.any(String),
      sentence: 'Done: 1 delivered, 0 failed.',
    })
    expect(await endsOf(hook, round)).toMatchObject([{ event_id: event, state: 'delivered', attempts: 1 }])
  }
  const requests = receiver.at('/again')
  expect(requests.map(({ headers }) => headers['x-hookline-replay'])).toEqual([undefined, '1', '2'])
  expect(new Set(requests.map(idOf))).toEqual(new Set([event]))
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
})

test('a replay is retried like any delivery, and an urgent event is not too late for it', async () => {
  const account = await world.account()
  const hook = await register(account, '/urgent', { event_type: 'voice_call' })
  const data = { id: '1', caller: '491', system: '492', time: '1' }
  answers.set('/urgent', () => 500)
  const { accepted } = await gateway.handIn({ account_id: account.accountId, type: 'voice_call', data })
  await expect
    .poll(() => endsOf(hook, 1), { timeout: 60_000 })
    .toMatchObject([{ state: 'failed', attempts: 4 }])
  const before = receiver.at('/urgent').length
  answers.set('/urgent', () => (receiver.at('/urgent').length === before + 1 ? 503 : 204))
  // Accepted longer ago than such an event is worth anything.
  await world.database.query(
    `UPDATE events SET accepted_at = accepted_at - interval '31 seconds' WHERE id = $1`,
    [accepted[0]],
  )
  const { id } = await start(account, { deliveries: [{ event_id: accepted[0], hook_id: hook }] })
  expect(await untilState(account, id, 'done')).toMatchObject({ delivered: 1, failed: 0 })
  expect(await endsOf(hook, 2)).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

test('all that a search finds are sent again, and nothing else', async () => {
  const account = await world.account()
  const hook = await register(account, '/search', { request_method: 'GET' })
  const other = await register(account, '/working')
  // As the query of a GET these are too long, which no further attempt would change.
  const long = inboundSms(account.accountId, { text: 'x'.repeat(9_000) })
  const { accepted: failed } = await gateway.handIn(long, long, long, long)
  await gateway.handIn(...Array.from({ length: 6 }, () => inboundSms(account.accountId)))
  for (const id of [hook, other]) await expect.poll(() => endsOf(id, 1), { timeout: 60_000 }).toHaveLength(10)
  await post(account, `/hooks/${hook}`, { request_method: 'JSON' })

  const selection = { search: { hook_id: hook, state: 'failed' } }
  const count = async () => (await post(account, '/replays/count', { selection })).json
  expect(await count()).toMatchObject({ count: 4, is_exact: true })
  const made = await start(account, selection)
  expect(made).toMatchObject({ kind: 'search', state: 'counting' })
  expect(made.selected).toMatch(`All deliveries of a search: failed, webhook ${hook}, before `)
  expect(await untilState(account, made.id, 'done')).toMatchObject({
    total: 4,
    started: 4,
    skipped: 0,
    delivered: 4,
    failed: 0,
  })
  expect(replayed('/search').map(idOf).toSorted()).toEqual(failed.toSorted())
  expect(replayed('/working')).toEqual([])
  expect(await endsOf(other, 2)).toEqual([])
  // What has been delivered since has not failed any more.
  expect(await count()).toMatchObject({ count: 0, is_exact: true })
})

test('of events that are selected, those deliveries are sent again that are asked for, by their last round', async () => {
  const account = await world.account()
  const stranger = await world.account()
  answers.set('/picked', () => 201)
  const picked = await register(account, '/picked')
  const other = await register(account, '/not-picked')
  const mended = await register(account, '/mended', { request_method: 'GET' })
  // As the query of a GET these are too long, which no further attempt would change.
  const long = inboundSms(account.accountId, { text: 'x'.repeat(9_000) })
  const { accepted: events } = await gateway.handIn(long, long)
  for (const id of [picked, other, mended])
    await expect.poll(() => endsOf(id, 1), { timeout: 60_000 }).toHaveLength(2)
  const [first = ''] = events
  const count = async (selection: object, { key } = account) =>
    (await post({ key }, '/replays/count', { selection })).json.count
  const counts = [
    { asked: {}, count: 6 },
    { asked: { state: 'failed' }, count: 2 },
    { asked: { status: 201 }, count: 2 },
    { asked: { reason: 'address_too_long' }, count: 2 },
    { asked: { hook_id: other }, count: 2 },
    { asked: { hook_id: other, state: 'failed' }, count: 0 },
    { asked: { q: String(other) }, count: 2 },
    { asked: { q: 'nothing of them' }, count: 0 },
    { asked: { state: 'waiting' }, count: 0 },
  ]
  for (const { asked, count: expected } of counts) {
    expect(await count({ events, ...asked }), JSON.stringify(asked)).toBe(expected)
    expect(await count({ events, ...asked }, stranger)).toBe(0)
  }

  const one = await start(account, { events: [first.toUpperCase(), first], status: 201 })
  expect(one).toMatchObject({ kind: 'deliveries', total: 1, event_id: first, hook_id: picked })
  await untilState(account, one.id, 'done')
  expect(replayed('/picked').map(idOf)).toEqual([first])

  await post(account, `/hooks/${mended}`, { request_method: 'JSON' })
  const failed = await start(account, { events, state: 'failed' })
  expect(failed).toMatchObject({ total: 2, event_id: null, hook_id: mended })
  expect(await untilState(account, failed.id, 'done')).toMatchObject({ delivered: 2, skipped: 0 })
  expect(replayed('/mended').map(idOf).toSorted()).toEqual(events.toSorted())
  expect(replayed('/not-picked')).toEqual([])
  // What has been delivered since has not failed any more, and is not found as such.
  for (const [name, value] of Object.entries({ state: 'failed', reason: 'address_too_long' })) {
    expect(await count({ events, [name]: value })).toBe(0)
    const found = await call(`${world.url}/api/events?${name}=${value}`, { key: account.key })
    expect(found.json.events).toEqual([])
  }
  expect(await count({ events, state: 'delivered' })).toBe(6)
})

test("another account's deliveries and replays cannot be touched, whatever is named", async () => {
  const owner = await world.account()
  const stranger = await world.account()
  const hook = await register(owner, '/owned')
  const own = await register(stranger, '/strangers')
  const [event = ''] = await deliveredOnce(owner, hook, 1)
  const selection = {
    deliveries: [
      { event_id: event, hook_id: hook },
      { event_id: event, hook_id: own },
    ],
  }
  expect((await post(stranger, '/replays/count', { selection })).json.count).toBe(0)
  const { id } = await start(stranger, selection)
  expect(await untilState(stranger, id, 'done')).toMatchObject({ started: 0, skipped: 2 })
  const searching = await start(stranger, { search: { hook_id: hook } })
  expect(await untilState(stranger, searching.id, 'done')).toMatchObject({ total: 0, started: 0 })
  expect(receiver.at('/strangers')).toEqual([])
  expect(replayed('/owned')).toEqual([])

  const { id: owned } = await start(owner, { deliveries: [{ event_id: event, hook_id: hook }] }, 1)
  for (const act of ['pause', 'resume', 'cancel']) {
    const theirs = await post(stranger, `/replays/${owned}/${act}`)
    const nobodys = await post(stranger, `/replays/99999999/${act}`)
    expect([theirs.status, theirs.json.code]).toEqual([404, 1102])
    expect(theirs.text.replace(`id ${owned}.`, 'X')).toBe(nobodys.text.replace('id 99999999.', 'X'))
  }
  expect((await call(`${world.url}/api/replays/${owned}`, { key: stranger.key })).status).toBe(404)
  const listed = await call(`${world.url}/api/replays`, { key: stranger.key })
  expect(listed.json.replays.map((replay: { id: number }) => replay.id)).toEqual([searching.id, id])
  expect(await untilState(owner, owned, 'done')).toMatchObject({ delivered: 1 })
})

test('who may not replay is refused, and so is a search by who may not see events', async () => {
  const account = await world.account()
  const reader = await world.key(account.accountId, { scopes: ['events:read', 'hooks'] })
  const blind = await world.key(account.accountId, { scopes: ['deliveries:replay'] })
  const event = '019a8716-a680-7000-8000-000000000000'
  const named = { deliveries: [{ event_id: event, hook_id: 1 }] }
  for (const path of ['/replays', '/replays/count', '/replays/1/pause', '/replays/1/cancel'])
    expect((await post(reader, path, { selection: named })).json.code).toBe(902)
  for (const path of ['/replays', '/replays/count']) {
    for (const selection of [{ search: { number: '49170' } }, { events: [event], state: 'failed' }])
      expect((await post(blind, path, { selection })).json.code).toBe(902)
    expect((await post(blind, path, { selection: named })).status).toBe(200)
    for (const selection of [
      {},
      { deliveries: [] },
      { search: { colour: 'red' } },
      { ...named, search: {} },
      { events: [] },
      { events: [event], number: '49170' },
      { events: [event], q: event },
    ])
      expect((await post(account, path, { selection })).json.code).toBe(1012)
  }
})

test('no process that dies in the middle loses a delivery or starts one twice, and the figures are right', async () => {
  const account = await world.account()
  const hook = await register(account, '/killed')
  const events = await deliveredOnce(account, hook, 1_500)
  const { id } = await start(account, { search: { hook_id: hook } }, 300)
  await receiver.until(() => replayed('/killed').length > 100, 60_000)
  const killed = workers.shift()
  killed?.child.kill('SIGKILL')
  workers.push(await world.startAnother({}, 'worker'))
  await receiver.until(() => replayed('/killed').length > 400, 60_000)
  workers.shift()?.child.kill('SIGKILL')
  workers.push(await world.startAnother({}, 'worker'))
  world.service.child.kill('SIGKILL')
  const api = await world.startAnother({}, 'api')
  world.url = api.url
  gateway = await createGateway(world, api.internalUrl)

  expect(await untilState(account, id, 'done', 150_000)).toMatchObject({
    total: 1_500,
    started: 1_500,
    skipped: 0,
    delivered: 1_500,
    failed: 0,
  })
  expect((await endsOf(hook, 2)).map(({ event_id }) => event_id)).toEqual(events.toSorted())
  expect(await endsOf(hook, 3)).toEqual([])
  const counts = Map.groupBy(replayed('/killed').map(idOf), (event) => event)
  expect(counts.size).toBe(1_500)
  // Sent twice only what was in flight in a worker that was killed: at most as many as a hook may have under way.
  const twice = [...counts.values()].filter(({ length }) => length > 1)
  expect(twice.length).toBeLessThanOrEqual(32)
  expect(await world.database.query('SELECT FROM work WHERE hook_id = $1', [hook])).toEqual([])
})

test('nothing of a replay is attempted later than a second after it was paused or cancelled, retries included', async () => {
  const account = await world.account()
  const hook = await register(account, '/paused')
  const events = await deliveredOnce(account, hook, 600)
  // Slower than the replay, so that some wait; and every third fails at first, so that some wait for a retry.
  const seen = new Set<string>()
  answers.set('/paused', async (request) => {
    await sleep(100)
    const isFirst = !seen.has(idOf(request))
    seen.add(idOf(request))
    return isFirst && seen.size % 3 === 0 ? 500 : 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 200)
  await receiver.until(() => replayed('/paused').length > 40, 60_000)
  const paused = await post(account, `/replays/${id}/pause`)
  const pausedAt = Date.now()
  expect(paused.json.replay.state).toBe('paused')
  await sleep(8_000)
  const startedAfter = (at: number) =>
    world.database.query('SELECT FROM attempts WHERE hook_id = $1 AND round = 2 AND started_at > $2', [
      hook,
      new Date(at + 1_000),
    ])
  expect(await startedAfter(pausedAt)).toEqual([])
  const stopped = await replayOf(account, id)
  expect(stopped).toMatchObject({ state: 'paused', finished_at: null })
  expect(stopped.started).toBeLessThan(600)
  expect(await endsOf(hook, 2)).toHaveLength(stopped.delivered + stopped.failed)
  const waiting = await world.database.query<{ event_id: string }>(
    'SELECT event_id FROM work WHERE hook_id = $1 LIMIT 1',
    [hook],
  )
  // What waits for a paused replay can still be looked at.
  expect((await call(`${world.url}/api/events/${waiting[0]?.event_id}`, { key: account.key })).status).toBe(
    200,
  )

  const before = replayed('/paused').length
  await post(account, `/replays/${id}/resume`)
  await receiver.until(() => replayed('/paused').length > before + 20, 60_000)
  const cancelled = await post(account, `/replays/${id}/cancel`)
  const cancelledAt = Date.now()
  expect(cancelled.json.replay.state).toBe('cancelled')
  await expect.poll(async () => (await replayOf(account, id)).finished_at, { timeout: 60_000 }).not.toBe(null)
  await sleep(7_000)
  expect(await startedAfter(cancelledAt)).toEqual([])
  const over = await replayOf(account, id)
  const ends = await endsOf(hook, 2)
  expect(ends).toHaveLength(over.started)
  expect(ends.filter(({ state }) => state === 'delivered')).toHaveLength(over.delivered)
  expect(ends.filter(({ state }) => state === 'cancelled')).toHaveLength(over.failed)
  expect(new Set(ends.map(({ state }) => state))).toEqual(new Set(['delivered', 'cancelled']))
  expect(over.started).toBeLessThan(600)
  expect(events).toHaveLength(600)
  expect(await world.database.query('SELECT FROM work WHERE hook_id = $1', [hook])).toEqual([])
  for (const act of ['pause', 'resume', 'cancel'])
    expect((await post(account, `/replays/${id}/${act}`)).json.code).toBe(1105)
})

test('what is fresh does not wait behind a replay', async () => {
  const account = await world.account()
  const hook = await register(account, '/busy')
  await deliveredOnce(account, hook, 300)
  answers.set('/busy', async () => {
    await sleep(150)
    return 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 1_000)
  await receiver.until(() => replayed('/busy').length > 20, 60_000)
  // Counted in deliveries that went first, which no slow machine changes.
  const wentFirst: number[] = []
  for (let count = 0; count < 5; count++) {
    const before = replayed('/busy').length
    if (count === 0) expect(before).toBeLessThan(150)
    const event = await gateway.event(account.accountId)
    const isFresh = (request: ReceivedRequest): boolean =>
      idOf(request) === event && request.headers['x-hookline-replay'] === undefined
    await receiver.until((requests) => requests.some(isFresh), 30_000)
    wentFirst.push(replayed('/busy').length - before)
  }
  // Sixteen at a time: what is fresh takes the next turn or one of those after, not the last of nearly twenty.
  expect(Math.max(...wentFirst)).toBeLessThan(100)
  expect(await untilState(account, id, 'done')).toMatchObject({ delivered: 300 })
})

test('a replay does not run ahead of a receiver that is slower', async () => {
  const account = await world.account()
  const hook = await register(account, '/slow')
  await deliveredOnce(account, hook, 300)
  answers.set('/slow', async () => {
    await sleep(1_000)
    return 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 50)
  let mostWaiting = 0
  await expect
    .poll(
      async () => {
        const waiting = await world.database.query('SELECT FROM work WHERE hook_id = $1 AND attempts = 0', [
          hook,
        ])
        mostWaiting = Math.max(mostWaiting, waiting.length)
        return (await replayOf(account, id)).state
      },
      { timeout: 120_000, interval: 100 },
    )
    .toBe('done')
  expect(await replayOf(account, id)).toMatchObject({ delivered: 300 })
  // Two seconds' worth and the step that came on top; sixteen a second are answered, so without a bound it would be 200.
  expect(mostWaiting).toBeGreaterThan(50)
  expect(mostWaiting).toBeLessThanOrEqual(113)
})

test('a rate is kept', async () => {
  const account = await world.account()
  const hook = await register(account, '/rated')
  await deliveredOnce(account, hook, 60)
  const { id } = await start(account, { search: { hook_id: hook } }, 20)
  await untilState(account, id, 'done')
  const times = replayed('/rated').map(({ at }) => at)
  expect(times).toHaveLength(60)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2_000)
})

test('two replays of the same deliveries at once number their rounds apart', async () => {
  const account = await world.account()
  const hook = await register(account, '/both')
  const events = await deliveredOnce(account, hook, 200)
  const both = await Promise.all([1, 2].map(() => start(account, { search: { hook_id: hook } })))
  const done = []
  for (const { id } of both) done.push(await untilState(account, id, 'done'))
  for (const replay of done) {
    expect(replay.started + replay.skipped).toBe(200)
    expect(replay.delivered).toBe(replay.started)
  }
  const rounds = await world.database.query<{ event_id: string; rounds: number[] }>(
    `SELECT event_id, array_agg(round ORDER BY round) AS rounds FROM deliveries WHERE hook_id = $1 GROUP BY event_id`,
    [hook],
  )
  expect(rounds).toHaveLength(events.length)
  for (const { rounds: own } of rounds) expect(own).toEqual(own.map((_, place) => place + 1))
  const sent = rounds.reduce((sum, { rounds: own }) => sum + own.length - 1, 0)
  expect(sent).toBe(done.reduce((sum, { started }) => sum + started, 0))
  expect(replayed('/both')).toHaveLength(sent)
})

test('what a disabled or deleted webhook would get is left out', async () => {
  const account = await world.account()
  const disabled = await register(account, '/off')
  const deleted = await register(account, '/gone')
  const [event = ''] = await deliveredOnce(account, disabled, 1)
  await expect.poll(() => endsOf(deleted, 1), { timeout: 30_000 }).toHaveLength(1)
  await post(account, `/hooks/${disabled}/disable`)
  await call(`${world.url}/api/hooks`, { method: 'DELETE', key: account.key, json: { id: deleted } })
  const named = [disabled, deleted].map((hook_id) => ({ event_id: event, hook_id }))
  const { id } = await start(account, { deliveries: named })
  expect(await untilState(account, id, 'done')).toMatchObject({ started: 0, skipped: 2, delivered: 0 })
})

test('what a disabled webhook held is delivered by a replay that can be cancelled, and then is held again', async () => {
  const account = await world.account()
  const hook = await register(account, '/held')
  await post(account, `/hooks/${hook}/disable`)
  const accepted: string[] = []
  for (let calls = 0; calls < 2; calls++)
    accepted.push(
      ...(await gateway.handIn(...Array.from({ length: 500 }, () => inboundSms(account.accountId)))).accepted,
    )
  const heldNow = () => world.database.query('SELECT FROM work WHERE hook_id = $1 AND held', [hook])
  await expect.poll(heldNow, { timeout: 60_000 }).toHaveLength(1_000)
  const first = await post(account, `/hooks/${hook}/enable`, { held: 'deliver' })
  expect(first.json.held).toBe(1_000)
  await receiver.until(() => receiver.at('/held').length > 50, 60_000)
  await post(account, `/replays/${first.json.replay_id}/cancel`)
  await expect
    .poll(async () => (await replayOf(account, first.json.replay_id)).finished_at, { timeout: 60_000 })
    .not.toBe(null)
  const stopped = await replayOf(account, first.json.replay_id)
  const left = (await heldNow()).length
  expect(left).toBeGreaterThan(0)
  expect(left + (await endsOf(hook, 1)).length).toBe(1_000)
  expect(stopped.delivered).toBe(1_000 - left)

  const second = await post(account, `/hooks/${hook}/enable`)
  expect(second.json).toMatchObject({ held: left })
  expect(await untilState(account, second.json.replay_id, 'done')).toMatchObject({
    kind: 'held',
    selected: `What webhook ${hook} held while it was disabled.`,
    total: left,
    delivered: left,
  })
  expect((await endsOf(hook, 1)).map(({ event_id }) => event_id)).toEqual(accepted.toSorted())
  expect(replayed('/held')).toEqual([])
  expect(receiver.at('/held').map(idOf).toSorted()).toEqual(accepted.toSorted())
})

test('a webhook that is disabled and enabled while its replay is paused gets it when that is resumed, and not before', async () => {
  const account = await world.account()
  const hook = await register(account, '/twice-stopped')
  const events = await deliveredOnce(account, hook, 200)
  answers.set('/twice-stopped', async () => {
    await sleep(200)
    return 204
  })
  const { id } = await start(account, { search: { hook_id: hook } }, 1_000)
  await receiver.until(() => replayed('/twice-stopped').length > 20, 60_000)
  await post(account, `/replays/${id}/pause`)
  await post(account, `/hooks/${hook}/disable`)
  const waiting = (which: string) =>
    world.database.query(`SELECT FROM work WHERE hook_id = $1 AND ${which}`, [hook])
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
  expect(replayed('/twice-stopped').filter(({ at }) => at > enabledAt)).toEqual([])
  await post(account, `/replays/${id}/resume`)
  const done = await untilState(account, id, 'done')
  expect(done.delivered).toBe(done.started)
  expect((await endsOf(hook, 2)).length).toBe(done.started)
  expect(done.started + done.skipped).toBe(events.length)
})

test('an account has so many replays at once and no more', async () => {
  const account = await world.account()
  const hook = await register(account, '/many')
  const [event = ''] = await deliveredOnce(account, hook, 1)
  const selection = { deliveries: [{ event_id: event, hook_id: hook }] }
  const made = []
  for (let count = 0; count < 10; count++) {
    const { id } = await start(account, selection)
    await post(account, `/replays/${id}/pause`)
    made.push(id)
  }
  const open = await world.database.query<{ open: number }>(
    'SELECT count(*)::integer AS open FROM replays WHERE account_id = $1 AND finished_at IS NULL',
    [account.accountId],
  )
  // Some may have been quicker than their pause.
  const refused = []
  for (let count = open[0]?.open ?? 0; count <= 10; count++) {
    const answer = await post(account, '/replays', {
      selection: { search: { hook_id: hook } },
      most_per_second: 1,
    })
    if (answer.status === 200) await post(account, `/replays/${answer.json.replay.id}/pause`)
    else refused.push([answer.status, answer.json.code])
  }
  expect(refused.at(-1)).toEqual([409, 1206])
})

test('a replay is forgotten when it ended longer ago than the ledger reaches, and one that goes on never', async () => {
  const account = await world.account()
  const made = async (state: string, finishedAt: Date | null): Promise<number> => {
    const [row] = await world.database.query<{ id: number }>(
      `INSERT INTO replays (account_id, kind, selection, state, most_per_second, created_by, is_counted, is_read, created_at,
                            next_at, finished_at)
       VALUES ($1, 'held', '{"kind":"held","hook_id":1}', $2, 1, 'operator', true, true, 'epoch', 'infinity', $3)
       RETURNING id`,
      [account.accountId, state, finishedAt],
    )
    return row?.id ?? 0
  }
  const limit = new Date('2026-01-02T00:00:00Z')
  for (const state of ['done', 'cancelled']) await made(state, new Date('2026-01-01T23:59:59Z'))
  const kept = [await made('done', limit), await made('paused', null)]
  await forgetReplays(world.db, limit)
  const rows = await world.database.query<{ id: number }>(
    'SELECT id FROM replays WHERE account_id = $1 ORDER BY id',
    [account.accountId],
  )
  expect(rows.map(({ id }) => id)).toEqual(kept)
})
