/** Live tails: every event once, in the order of commit, over cuts, restarts and slow transactions. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, test as base, vi } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { insertEvents } from '../src/pipeline/intake/insert-events.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { signIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'
import { type Message, openTail, type TailReader } from '../../dev/tail-reader.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 180_000 })

// Some of these wait for half a minute and use nothing in common, so they wait together.
const test = base.concurrent

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
/** For transactions that are open at the same time, so that none waits for the end of another. */
let slowDb: Database

beforeAll(async () => {
  world = await startAreaWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  await world.startAnother({}, 'worker')
  gateway = await createGateway(world)
  receiver = await startReceiver()
  slowDb = openDatabase(world.database.url, 24, () => {})
})
afterAll(async () => {
  await slowDb.destroy()
  await world.close()
  await receiver.close()
})

function listen({ key }: { key: string }, from = 'now', lastEventId?: string): Promise<TailReader> {
  const url = `${world.url}/api/events/stream?from=${encodeURIComponent(from)}`
  return openTail(url, { headers: { 'x-api-key': key }, lastEventId })
}

async function until(isDone: () => boolean, what: string, timeoutMs = 30_000): Promise<void> {
  const endsAt = performance.now() + timeoutMs
  while (!isDone()) {
    if (performance.now() > endsAt) throw new Error(`not in time: ${what}`)
    await sleep(10)
  }
}

function idsOf(messages: readonly Message[]): string[] {
  return messages.filter(({ event }) => event === 'event').map(({ data }) => data.id)
}

/** By the numbers of their transactions, as the database gave them. */
async function inOrderOfCommit({ accountId }: TestAccount): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    'SELECT id FROM events WHERE account_id = $1 ORDER BY xid, id',
    [accountId],
  )
  return rows.map(({ id }) => id)
}

/** A transaction that has written its event and takes its time to commit. */
function slowly({ accountId }: TestAccount, ms: number): Promise<void> {
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
    await insertEvents(trx, [{ ...event, ...fields, producerId: 0 }])
    await sleep(ms)
  })
}

test('10,000 events arrive once each and in the order of commit, over 20 cuts, a killed server and slow transactions', async ({
  expect,
}) => {
  const account = await world.account()
  const first = await world.startAnother({ PORT: '0' }, 'api')
  const second = await world.startAnother({ PORT: '0' }, 'api')
  let url = first.url

  async function produce(): Promise<void> {
    const slow: Array<Promise<void>> = []
    for (let done = 0; done < 10_000; done += 100) {
      if (done % 500 === 0) slow.push(slowly(account, 200 + ((done / 500) % 7) * 400))
      const some = Array.from({ length: 100 }, () => inboundSms(account.accountId))
      expect((await gateway.handIn(...some)).accepted).toHaveLength(100)
    }
    await Promise.all(slow)
  }

  const total = 10_000 + 20
  const got: string[] = []
  const cutPoints = Array.from({ length: 20 }, (_, place) => 300 + place * 450)
  let lastId: string | undefined
  let cuts = 0
  const opened = await openTail(`${url}/api/events/stream`, { headers: { 'x-api-key': account.key } })
  lastId = opened.lastId()
  await until(() => opened.lastId() !== undefined, 'a position to begin with')
  lastId = opened.lastId()
  opened.cut()
  const producing = produce()
  while (got.length < total) {
    const current: { reader?: TailReader; isOver?: true } = {}
    const reader = await openTail(`${url}/api/events/stream`, {
      headers: { 'x-api-key': account.key },
      lastEventId: lastId,
      onMessage(message) {
        // What comes in the same breath as the cut was not seen by whoever cut.
        if (current.isOver) return
        got.push(message.data.id)
        lastId = message.id
        if (got.length < (cutPoints[cuts] ?? total)) return
        current.isOver = true
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
    if (current.isOver) reader.cut()
    const endsAt = performance.now() + 60_000
    while (!current.isOver && performance.now() < endsAt) await sleep(5)
    reader.cut()
    if (!current.isOver) break
  }
  await producing
  expect(cuts).toBe(21)
  expect(new Set(got).size).toBe(total)
  expect(got).toEqual(await inOrderOfCommit(account))
})

test('what commits late arrives, after what committed before it began to be waited for', async ({
  expect,
}) => {
  const account = await world.account()
  const reader = await listen(account)
  await until(() => reader.lastId() !== undefined, 'a position')
  const slow = slowly(account, 2_000)
  await sleep(300)
  await gateway.event(account.accountId)
  await sleep(700)
  await gateway.event(account.accountId)
  await slow
  await until(() => reader.messages.length === 3, 'three events')
  expect(idsOf(reader.messages)).toEqual(await inOrderOfCommit(account))
  expect(reader.messages[0]?.data.message_id).toBe('slow')
  reader.cut()
})

test('an event comes masked, and then how its delivery ended', async ({ expect }) => {
  const account = await world.account()
  const form = { target_url: receiver.url('/tailed'), event_type: 'sms_mo' }
  const { json: hook } = await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form })
  const reader = await listen(account)
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
    },
  })
  expect(JSON.stringify(reader.messages)).not.toMatch(/491700000001|secret/)
  reader.cut()
  const resumed = await listen(account, first?.id)
  await until(() => resumed.messages.length === 1, 'the delivery again')
  expect(resumed.messages).toEqual([second])
  resumed.cut()
})

test('a tail begins at a time, or behind a cursor, whichever is asked for', async ({ expect }) => {
  const account = await world.account()
  const before = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  await sleep(50)
  const time = new Date().toISOString()
  await sleep(50)
  const after = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  const fromTime = await listen(account, time)
  await until(() => fromTime.messages.length === 2, 'two events')
  expect(idsOf(fromTime.messages)).toEqual(after)
  fromTime.cut()
  const all = await listen(account, '2026-01-01T00:00:00+01:00')
  await until(() => all.messages.length === 4, 'four events')
  expect(idsOf(all.messages)).toEqual([...before, ...after])
  all.cut()
  const behind = await listen(account, 'now', all.messages[2]?.id)
  await until(() => behind.messages.length === 1, 'the last event')
  expect(idsOf(behind.messages)).toEqual(after.slice(1))
  behind.cut()
  const ahead = `9999999999999 00000000000000000000000000000000 -1 0 ${Date.now()}`
  const future = Buffer.from(ahead).toString('base64url')
  for (const wrong of ['abc', future, '2026-99-99', ''.padEnd(300, 'x')]) {
    const refused = await listen(account, wrong)
    await refused.ended
    expect([refused.status, JSON.parse(refused.body()).code]).toEqual([400, 1012])
  }
})

test("nobody hears of another account's events, and who may not see events hears nothing", async ({
  expect,
}) => {
  const account = await world.account()
  const other = await world.account()
  const reader = await listen(account, '2026-01-01T00:00:00Z')
  const theirs = await listen(other, '2026-01-01T00:00:00Z')
  await gateway.event(other.accountId)
  const own = await gateway.event(account.accountId)
  await until(() => reader.messages.length > 0 && theirs.messages.length > 0, 'an event each')
  await sleep(1_000)
  expect(idsOf(reader.messages)).toEqual([own])
  // The position of one account is worth nothing in another.
  const stolen = await listen(other, 'now', reader.lastId())
  await sleep(1_000)
  expect(stolen.messages).toEqual([])
  for (const each of [reader, theirs, stolen]) each.cut()
  const blind = await world.key(account.accountId, { scopes: ['hooks', 'deliveries:replay'] })
  const refused = await listen(blind)
  await refused.ended
  expect([refused.status, JSON.parse(refused.body()).code]).toEqual([403, 902])
})

test('a tail ends within seconds when its key is revoked, its person signs out, its account is suspended', async ({
  expect,
}) => {
  const account = await world.account()
  const suspended = await world.account()
  const { key, keyId } = await world.key(account.accountId)
  const person = await signIn(world.url, account)
  const byKey = await listen({ key })
  const bySession = await openTail(`${world.url}/api/events/stream`, { headers: { cookie: person.cookie } })
  const ofSuspended = await listen(suspended)
  const kept = await listen(account)
  expect([byKey, bySession, ofSuspended, kept].map(({ status }) => status)).toEqual([200, 200, 200, 200])

  await world.database.query('UPDATE keys SET revoked_at = now() WHERE id = $1', [keyId])
  await world.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [suspended.accountId])
  expect((await person.call('/api/session', { method: 'DELETE' })).status).toBe(200)
  const from = performance.now()
  await Promise.all([byKey.ended, bySession.ended, ofSuspended.ended])
  expect(performance.now() - from).toBeLessThan(10_000)
  const event = await gateway.event(account.accountId)
  await until(() => kept.messages.length === 1, 'the event')
  expect(idsOf(kept.messages)).toEqual([event])
  expect(byKey.messages).toEqual([])
  kept.cut()
})

test('an account has so many tails at once, and closing one makes room', async ({ expect }) => {
  const account = await world.account()
  const readers = await Promise.all(Array.from({ length: 10 }, () => listen(account)))
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200))
  const refused = await listen(account)
  await refused.ended
  expect([refused.status, JSON.parse(refused.body()).code]).toEqual([429, 1205])
  const stranger = await listen(await world.account())
  expect(stranger.status).toBe(200)
  readers.pop()?.cut()
  await expect
    .poll(
      async () => {
        const again = await listen(account)
        again.cut()
        return again.status
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(200)
  for (const each of [...readers, stranger]) each.cut()
})

test('many tails opened at once are not more than one after the other', async ({ expect }) => {
  const account = await world.account()
  const readers = await Promise.all(Array.from({ length: 40 }, () => listen(account)))
  const statuses = readers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  for (const each of readers) each.cut()
})

test('who does not read is cut off, without cost to others, and goes on where it was', async ({ expect }) => {
  const account = await world.account()
  const asleep = await listen(account)
  await until(() => asleep.lastId() !== undefined, 'a position')
  asleep.pause()
  const awake = await listen(account)
  const count = 24_000
  for (let done = 0; done < count; done += 500)
    await gateway.handIn(...Array.from({ length: 500 }, () => inboundSms(account.accountId)))
  await until(() => awake.messages.length === count, 'all events to who reads', 60_000)
  awake.cut()
  // Cut off by the server meanwhile; what was on its way is read only now.
  await sleep(35_000)
  asleep.resume()
  await asleep.ended
  expect(asleep.messages.length).toBeLessThan(count)
  const resumed = await listen(account, 'now', asleep.lastId())
  await until(() => resumed.messages.length >= count - asleep.messages.length, 'the rest', 60_000)
  resumed.cut()
  const all = [...idsOf(asleep.messages), ...idsOf(resumed.messages)]
  expect(all).toEqual(await inOrderOfCommit(account))
})

test('a tail on which nothing happens says every 15 seconds that it is there', async () => {
  const reader = await listen(await world.account())
  await until(() => reader.comments.length === 2, 'two signs of life', 45_000)
  reader.cut()
})

test('a server that stops ends its tails at once and does not wait for them', async ({ expect }) => {
  const account = await world.account()
  const api = await world.startAnother({ PORT: '0' }, 'api')
  const reader = await openTail(`${api.url}/api/events/stream`, { headers: { 'x-api-key': account.key } })
  expect(reader.status).toBe(200)
  const from = performance.now()
  expect(await api.stop()).toBe(0)
  await reader.ended
  expect(performance.now() - from).toBeLessThan(8_000)
})
