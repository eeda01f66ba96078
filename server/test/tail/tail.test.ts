/** Tests live tails: every event once, in commit order, across disconnects, restarts and slow transactions. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, test as base, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { takeIdEndings } from '../../src/model/event-id.ts'
import { insertEvents } from '../../src/delivery/queue/insert-events.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'
import { type Message, openTail, type TailReader } from '../../../dev/tail-reader.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 180_000 })

// Some tests wait for half a minute and share no data, so they run concurrently.
const test = base.concurrent

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
/** For concurrent open transactions, so that none waits for another. */
let slowDb: Database

beforeAll(async () => {
  hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true' })
  await hookline.startAnother({}, 'worker')
  gateway = await createGateway(hookline)
  let failures = 0
  receiver = await startReceiver(({ url }, response) => {
    // Deliveries to the other path stay pending.
    if (url !== '/never') response.writeHead(url === '/fails-twice' && failures++ < 2 ? 500 : 204).end()
  })
  slowDb = openDatabase(hookline.database.url, 24, () => {})
})
afterAll(async () => {
  await slowDb.destroy()
  await hookline.close()
  await receiver.close()
})

function openReader({ key }: { key: string }, from = 'now', lastEventId?: string): Promise<TailReader> {
  const url = `${hookline.url}/api/events/stream?from=${encodeURIComponent(from)}`
  return openTail(url, { headers: { 'x-api-key': key }, lastEventId })
}

async function until(isDone: () => boolean, description: string, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!isDone()) {
    if (performance.now() > deadline) throw new Error(`timed out: ${description}`)
    await sleep(10)
  }
}

function idsOf(messages: readonly Message[]): string[] {
  return messages.filter(({ event }) => event === 'event').map(({ data }) => data.id)
}

/** Returns event ids ordered by transaction id. */
async function idsInCommitOrder({ accountId }: TestAccount): Promise<string[]> {
  const rows = await hookline.database.query<{ id: string }>(
    'SELECT id FROM events WHERE account_id = $1 ORDER BY xid, id',
    [accountId],
  )
  return rows.map(({ id }) => id)
}

/** Inserts an event in a transaction that commits late. */
function insertSlowly({ accountId }: TestAccount, ms: number): Promise<void> {
  return slowDb.transaction().execute(async (trx) => {
    const fields = { messageId: 'slow', sender: null, recipient: null, foreignId: null }
    const event = {
      accountId,
      type: 'sms_mo',
      data: '{"system":"1"}',
      occurredAt: null,
      key: null,
      digest: null,
    } as const
    await insertEvents(trx, [{ ...event, ...fields, idEnding: takeIdEndings(1)[0] ?? '', producerId: 0 }])
    await sleep(ms)
  })
}

test('10,000 events arrive once each and in commit order, across 20 disconnects, a killed server and slow transactions', async ({
  expect,
}) => {
  const account = await hookline.account()
  const first = await hookline.startAnother({ PORT: '0' }, 'api')
  const second = await hookline.startAnother({ PORT: '0' }, 'api')
  let url = first.url

  async function produce(): Promise<void> {
    const slow: Array<Promise<void>> = []
    for (let done = 0; done < 10_000; done += 100) {
      if (done % 500 === 0) slow.push(insertSlowly(account, 200 + ((done / 500) % 7) * 400))
      const batch = Array.from({ length: 100 }, () => inboundSms(account.accountId))
      expect((await gateway.submitEvents(...batch)).accepted).toHaveLength(100)
    }
    await Promise.all(slow)
  }

  const total = 10_000 + 20
  const received: string[] = []
  const cutPoints = Array.from({ length: 20 }, (_, index) => 300 + index * 450)
  let lastId: string | undefined
  let cuts = 0
  const opened = await openTail(`${url}/api/events/stream`, { headers: { 'x-api-key': account.key } })
  lastId = opened.lastId()
  await until(() => opened.lastId() !== undefined, 'a start position')
  lastId = opened.lastId()
  opened.cut()
  const producing = produce()
  while (received.length < total) {
    const current: { reader?: TailReader; isFinished?: true } = {}
    const reader = await openTail(`${url}/api/events/stream`, {
      headers: { 'x-api-key': account.key },
      lastEventId: lastId,
      onMessage(message) {
        // Messages that arrive together with the disconnect do not count as received.
        if (current.isFinished) return
        received.push(message.data.id)
        lastId = message.id
        if (received.length < (cutPoints[cuts] ?? total)) return
        current.isFinished = true
        cuts++
        if (cuts === 10) {
          first.child.kill('SIGKILL')
          url = second.url
        }
        current.reader?.cut()
      },
    })
    current.reader = reader
    expect(reader.status).toBe(200)
    if (current.isFinished) reader.cut()
    const deadline = performance.now() + 60_000
    while (!current.isFinished && performance.now() < deadline) await sleep(5)
    reader.cut()
    if (!current.isFinished) break
  }
  await producing
  expect(cuts).toBe(21)
  expect(new Set(received).size).toBe(total)
  expect(received).toEqual(await idsInCommitOrder(account))
})

test('an event that commits late arrives, before events that began after it', async ({ expect }) => {
  const account = await hookline.account()
  const reader = await openReader(account)
  await until(() => reader.lastId() !== undefined, 'a position')
  const slow = insertSlowly(account, 2_000)
  await sleep(300)
  await gateway.event(account.accountId)
  await sleep(700)
  await gateway.event(account.accountId)
  await slow
  await until(() => reader.messages.length === 3, 'three events')
  expect(idsOf(reader.messages)).toEqual(await idsInCommitOrder(account))
  expect(reader.messages[0]?.data.message_id).toBe('slow')
  reader.cut()
})

test('an event arrives masked, followed by the outcome of its delivery', async ({ expect }) => {
  const account = await hookline.account()
  const form = { target_url: receiver.url('/tailed'), event_type: 'sms_mo' }
  const { json: hook } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  const reader = await openReader(account)
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  const event = await gateway.event(account.accountId, { text: 'a secret text' })
  await until(() => reader.messages.length === 2, 'event and delivery')
  const [first, second] = reader.messages
  expect(first).toMatchObject({
    event: 'event',
    data: {
      id: event,
      type: 'sms_mo',
      from: '4917••••••01',
      to: '4917••••••02',
      is_test: false,
      deliveries: [],
    },
  })
  expect(second).toEqual({
    id: expect.any(String),
    event: 'delivery',
    data: {
      event_id: event,
      hook_id: hook.id,
      round: 1,
      state: 'delivered',
      reason: 'delivered',
      attempts: 1,
      webhook: expect.objectContaining({ id: hook.id }),
    },
  })
  expect(JSON.stringify(reader.messages)).not.toMatch(/491700000001|secret/)
  reader.cut()
  const resumed = await openReader(account, first?.id)
  await until(() => resumed.messages.length === 1, 'the delivery again')
  expect(resumed.messages).toEqual([second])
  resumed.cut()
})

test('every failed attempt arrives with its result, before the delivery that ends the round', async ({
  expect,
}) => {
  const account = await hookline.account()
  const form = { target_url: receiver.url('/fails-twice'), event_type: 'sms_mo' }
  const { json: hook } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  const reader = await openReader(account)
  const event = await gateway.event(account.accountId)
  const outcomes = () =>
    reader.messages.filter(({ event: kind }) => kind === 'attempt' || kind === 'delivery')
  await until(() => outcomes().length === 1, 'the first attempt')
  for (const attempt of [2, 3]) {
    await hookline.database.query(
      'WITH due AS (UPDATE work SET due_at = now() WHERE event_id = $1) UPDATE lane SET due_at = now() WHERE hook_id = $2',
      [event, hook.id],
    )
    await until(() => outcomes().length === attempt, `attempt ${attempt}`)
  }
  const common = {
    event_id: event,
    hook_id: hook.id,
    round: 1,
    webhook: expect.objectContaining({ id: hook.id }),
  }
  const failed = { ...common, reason: 'status', status: 500 }
  expect(outcomes().map(({ event: kind, data }) => [kind, data])).toEqual([
    ['attempt', { ...failed, attempt: 1 }],
    ['attempt', { ...failed, attempt: 2 }],
    ['delivery', { ...common, state: 'delivered', reason: 'delivered', attempts: 3 }],
  ])
  reader.cut()
  const [first] = outcomes()
  const resumed = await openReader(account, first?.id)
  await until(() => resumed.messages.length === 2, 'everything after the first attempt')
  expect(resumed.messages).toEqual(outcomes().slice(1))
  resumed.cut()
})

function routesOf({ routes }: TailReader): Message[] {
  return routes.toSorted((a, b) => (a.data.event_id < b.data.event_id ? -1 : 1))
}

test('the route of an event lists its pending deliveries, or none, and is repeated after a reconnect', async ({
  expect,
}) => {
  const account = await hookline.account()
  const form = { target_url: receiver.url('/never'), event_type: 'sms_mo', event_filter: '4999' }
  const { json: hook } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  const reader = await openReader(account)
  const matched = await gateway.event(account.accountId, { system: '4999' })
  const unmatched = await gateway.event(account.accountId, { system: '4998' })
  const waiting = {
    hook_id: hook.id,
    round: 1,
    state: 'waiting',
    reason: null,
    attempts: 0,
    webhook: expect.objectContaining({ id: hook.id }),
  }
  const expected = [
    { id: '', event: 'route', data: { event_id: matched, deliveries: [waiting] } },
    { id: '', event: 'route', data: { event_id: unmatched, deliveries: [] } },
  ]
  await until(() => reader.routes.length === 2, 'two routes')
  expect(routesOf(reader)).toEqual(expected)
  reader.cut()
  const resumed = await openReader(account, 'now', reader.lastId())
  await until(() => resumed.routes.length === 2, 'two routes again')
  expect(routesOf(resumed)).toEqual(expected)
  expect(resumed.messages).toEqual([])
  resumed.cut()
})

test('a tail includes only the events that it asks for, by unmasked values', async ({ expect }) => {
  const account = await hookline.account()
  const url = (query: string) => `${hookline.url}/api/events/stream?${query}`
  const open = (query: string) => openTail(url(query), { headers: { 'x-api-key': account.key } })
  const readers = await Promise.all([open('number=7654321'), open('q=m-1'), open('type=dlr'), open('')])
  const sms = await gateway.event(account.accountId, { id: 'm-1', sender: '491707654321' })
  const other = await gateway.event(account.accountId, { id: 'm-2', sender: '491707654322' })
  const [byNumber, byText, byType, all] = readers
  await until(() => all !== undefined && idsOf(all.messages).length === 2, 'both events')
  await sleep(1_000)
  expect([byNumber, byText, byType, all].map((reader) => idsOf(reader?.messages ?? []))).toEqual([
    [sms],
    [sms],
    [],
    [sms, other],
  ])
  for (const reader of readers) reader.cut()
})

test('a tail starts at a time or after a cursor, as requested', async ({ expect }) => {
  const account = await hookline.account()
  const before = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  await sleep(50)
  const time = new Date().toISOString()
  await sleep(50)
  const after = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  const fromTime = await openReader(account, time)
  await until(() => fromTime.messages.length === 2, 'two events')
  expect(idsOf(fromTime.messages)).toEqual(after)
  fromTime.cut()
  const all = await openReader(account, '2026-01-01T00:00:00+01:00')
  await until(() => all.messages.length === 4, 'four events')
  expect(idsOf(all.messages)).toEqual([...before, ...after])
  all.cut()
  const fromCursor = await openReader(account, 'now', all.messages[2]?.id)
  await until(() => fromCursor.messages.length === 1, 'the last event')
  expect(idsOf(fromCursor.messages)).toEqual(after.slice(1))
  fromCursor.cut()
  const ahead = `9999999999999 00000000000000000000000000000000 -1 0 ${Date.now()}`
  const future = Buffer.from(ahead).toString('base64url')
  for (const wrong of ['abc', future, '2026-99-99', ''.padEnd(300, 'x')]) {
    const rejected = await openReader(account, wrong)
    await rejected.ended
    expect([rejected.status, JSON.parse(rejected.body()).code]).toEqual([400, 1012])
  }
})

test('a tail has no events of other accounts, and a key without access to events gets none', async ({
  expect,
}) => {
  const account = await hookline.account()
  const other = await hookline.account()
  const reader = await openReader(account, '2026-01-01T00:00:00Z')
  const otherReader = await openReader(other, '2026-01-01T00:00:00Z')
  await gateway.event(other.accountId)
  const event = await gateway.event(account.accountId)
  await until(() => reader.messages.length > 0 && otherReader.messages.length > 0, 'an event each')
  await sleep(1_000)
  expect(idsOf(reader.messages)).toEqual([event])
  // A cursor of one account reveals nothing in another.
  const stolen = await openReader(other, 'now', reader.lastId())
  await sleep(1_000)
  expect(stolen.messages).toEqual([])
  for (const each of [reader, otherReader, stolen]) each.cut()
  const noEvents = await hookline.key(account.accountId, { scopes: ['hooks', 'deliveries:replay'] })
  const rejected = await openReader(noEvents)
  await rejected.ended
  expect([rejected.status, JSON.parse(rejected.body()).code]).toEqual([403, 902])
})

test('a tail ends within seconds after its key is revoked, its user signs out or its account is suspended', async ({
  expect,
}) => {
  const account = await hookline.account()
  const suspended = await hookline.account()
  const { key, keyId } = await hookline.key(account.accountId)
  const user = await signIn(hookline.url, account)
  const byKey = await openReader({ key })
  const bySession = await openTail(`${hookline.url}/api/events/stream`, { headers: { cookie: user.cookie } })
  const ofSuspended = await openReader(suspended)
  const kept = await openReader(account)
  expect([byKey, bySession, ofSuspended, kept].map(({ status }) => status)).toEqual([200, 200, 200, 200])

  await hookline.database.query('UPDATE keys SET revoked_at = now() WHERE id = $1', [keyId])
  await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
    suspended.accountId,
  ])
  expect((await user.call('/api/session', { method: 'DELETE' })).status).toBe(200)
  const from = performance.now()
  await Promise.all([byKey.ended, bySession.ended, ofSuspended.ended])
  expect(performance.now() - from).toBeLessThan(10_000)
  const event = await gateway.event(account.accountId)
  await until(() => kept.messages.length === 1, 'the event')
  expect(idsOf(kept.messages)).toEqual([event])
  expect(byKey.messages).toEqual([])
  kept.cut()
})

test('an account has a limited number of concurrent tails, and closing one frees a slot', async ({
  expect,
}) => {
  const account = await hookline.account()
  const readers = await Promise.all(Array.from({ length: 10 }, () => openReader(account)))
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200))
  const rejected = await openReader(account)
  await rejected.ended
  expect([rejected.status, JSON.parse(rejected.body()).code]).toEqual([429, 1205])
  const stranger = await openReader(await hookline.account())
  expect(stranger.status).toBe(200)
  readers.pop()?.cut()
  await expect
    .poll(
      async () => {
        const reopened = await openReader(account)
        reopened.cut()
        return reopened.status
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(200)
  for (const each of [...readers, stranger]) each.cut()
})

test('tails opened concurrently obey the same limit as tails opened sequentially', async ({ expect }) => {
  const account = await hookline.account()
  const readers = await Promise.all(Array.from({ length: 40 }, () => openReader(account)))
  const statuses = readers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  for (const each of readers) each.cut()
})

test('a client that does not read is disconnected without affecting others, and can resume', async ({
  expect,
}) => {
  const account = await hookline.account()
  const stalled = await openReader(account)
  await until(() => stalled.lastId() !== undefined, 'a position')
  stalled.pause()
  const active = await openReader(account)
  const count = 24_000
  for (let done = 0; done < count; done += 500)
    await gateway.submitEvents(...Array.from({ length: 500 }, () => inboundSms(account.accountId)))
  await until(() => active.messages.length === count, 'all events at the active reader', 60_000)
  active.cut()
  // The server has disconnected it meanwhile. Buffered messages are read only now.
  await sleep(35_000)
  stalled.resume()
  await stalled.ended
  expect(stalled.messages.length).toBeLessThan(count)
  const resumed = await openReader(account, 'now', stalled.lastId())
  await until(() => resumed.messages.length >= count - stalled.messages.length, 'the rest', 60_000)
  resumed.cut()
  const all = [...idsOf(stalled.messages), ...idsOf(resumed.messages)]
  expect(all).toEqual(await idsInCommitOrder(account))
})

test('an idle tail sends a heartbeat every 15 seconds', async () => {
  const reader = await openReader(await hookline.account())
  await until(() => reader.comments.length === 2, 'two heartbeats', 45_000)
  reader.cut()
})

test('a server that stops ends its tails immediately without waiting for them', async ({ expect }) => {
  const account = await hookline.account()
  const api = await hookline.startAnother({ PORT: '0' }, 'api')
  const reader = await openTail(`${api.url}/api/events/stream`, { headers: { 'x-api-key': account.key } })
  expect(reader.status).toBe(200)
  const from = performance.now()
  expect(await api.stop()).toBe(0)
  await reader.ended
  expect(performance.now() - from).toBeLessThan(8_000)
})
