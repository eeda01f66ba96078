/** Tests the inbox with real PostgreSQL. The route commit verifies which reader routed an event. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { noTracing } from '../../src/runtime/tracing.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/model/event.ts'
import { createAccept } from '../../src/delivery/accept.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { createInbox, type FreshEvent, type Inbox } from '../../src/delivery/queue/inbox.ts'
import { commitRoute, type RouteResult } from '../../src/delivery/queue/commit-route.ts'
import { noProducer } from '../../src/model/event.ts'
import { builtInTypes } from '../support/built-in-types.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { inboundSms } from '../support/gateway.ts'

const pauseMs = 20

let database: TestDatabase
let db: Database
let accountId: number
let hooksVersion: string
let errors: unknown[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 8, () => {})
  await createPartitions(db, Date.now())
  const [account] = await database.query<{ id: number; version: string }>(
    `INSERT INTO accounts (name) VALUES ('inbox') RETURNING id, hooks_version AS version`,
  )
  if (account === undefined) throw new Error('no account')
  accountId = account.id
  hooksVersion = account.version
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

beforeEach(() => {
  errors = []
})
afterEach(async () => {
  await database.query('DELETE FROM inbox')
  expect(errors).toEqual([])
})

/** Accepts events like the api when no worker can take them. */
async function accept(payloads: readonly object[]): Promise<string[]> {
  const acceptEvents = createAccept({
    db,
    limits: { eventsPerCall: 500, eventBytes: 262_144 },
    eventTypes: builtInTypes,
    tracing: noTracing,
    isOverQuota: async () => false,
    clock: systemClock,
    placer: { place: () => undefined, refresh() {} },
    room: { waitMs: () => 0, commitSize: () => undefined },
    onCommitted: () => {},
    onError: (error) => errors.push(error),
  })
  const events = payloads.map((data) => inboundSms(accountId, data))
  const { accepted, rejected } = await acceptEvents(noProducer, JSON.stringify({ events }))
  expect(rejected).toEqual([])
  return accepted
}

function texts(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ text: `event ${index}` }))
}

function idsOf(fresh: readonly FreshEvent[]): string[] {
  return fresh.map(({ event }) => event.id)
}

/** Pulls like a worker until the given number of events was read. */
async function pullUntil(inbox: Inbox, count: number, withinMs = 10_000): Promise<FreshEvent[]> {
  const pulled: FreshEvent[] = []
  const deadline = performance.now() + withinMs
  while (pulled.length < count) {
    if (performance.now() > deadline)
      throw new Error(`only ${pulled.length} of ${count} events in ${withinMs} ms`)
    const batch = await inbox.pull(200)
    pulled.push(...batch)
    if (batch.length === 0) await sleep(pauseMs)
  }
  return pulled
}

/** Runs the route commit for events without matching hooks. */
async function commit(fresh: readonly FreshEvent[]): Promise<Array<RouteResult['state']>> {
  const routed = fresh.map(({ event }) => ({ event, version: hooksVersion, stopsVersion: '0', matches: [] }))
  const results = await commitRoute(db, routed, { id: randomUUID(), seconds: 30 })
  return results.map(({ state }) => state)
}

/** Pulls and routes events like a worker until it is finished, and reports each event it has routed. */
async function routeUntil(inbox: Inbox, isFinished: () => boolean, onRouted: (id: string) => void) {
  while (!isFinished()) {
    const fresh = await inbox.pull(64)
    if (fresh.length === 0) {
      await sleep(pauseMs)
      continue
    }
    const results = await commit(fresh)
    for (const [index, { event }] of fresh.entries()) if (results[index] === 'routed') onRouted(event.id)
  }
}

describe('the inbox', () => {
  test('returns each accepted event once', async () => {
    const inbox = createInbox(db)
    const accepted = [...(await accept(texts(1))), ...(await accept(texts(30))), ...(await accept(texts(1)))]
    expect(idsOf(await inbox.pull(200)).toSorted()).toEqual(accepted.toSorted())
    expect(await inbox.pull(200)).toEqual([])
  })

  test('returns events exactly as they were accepted', async () => {
    const unusualTexts = [
      'plain',
      'Grüße, 漢字, \u{1F680}\u{1F469}\u200D\u{1F4BB}, e\u0301',
      '"quotes", \'single\', \\ and \\" and \\n',
      'line feeds \n \r\n \t and \u2028 and \u2029 and \u0085',
      ' spaces   before and after ',
      '',
      '\uFEFF\uFFFD\uFFFF',
    ]
    const large = { text: 'ü"\u2028x'.repeat(25_000) }
    const payloads = [
      ...unusualTexts.map((text) => ({ text })),
      large,
      { text: 'after', more: { list: [1e21, -0.5, null, true] } },
    ]
    const accepted = await accept(payloads)
    const stored = await database.query<Omit<Event, 'data'>>(
      `SELECT id, account_id AS "accountId", type, accepted_at AS "acceptedAt", test_hook_id AS "testHookId", traceparent FROM events WHERE id = ANY ($1::uuid[])`,
      [accepted],
    )
    const pulled = (await createInbox(db).pull(200)).map(({ event }) => event)
    const byId = new Map(pulled.map((event) => [event.id, event]))
    for (const [index, id] of accepted.entries()) {
      const { data, ...rest } = byId.get(id) ?? ({} as Event)
      expect(rest).toEqual(stored.find((event) => event.id === id))
      const sent = (inboundSms(accountId, payloads[index]) as { data: object }).data
      expect(Buffer.from(data).equals(Buffer.from(JSON.stringify(sent)))).toBe(true)
    }
    expect(Buffer.byteLength(byId.get(accepted[unusualTexts.length] ?? '')?.data ?? '')).toBeGreaterThan(
      200_000,
    )
  })

  test('returns at most the requested number of events, from both ends of a backlog', async () => {
    const inbox = createInbox(db)
    const accepted: string[] = []
    for (let call = 0; call < 4; call++) accepted.push(...(await accept(texts(3))))
    const pulled = [await inbox.pull(5), await inbox.pull(5), await inbox.pull(5)].map((fresh) =>
      idsOf(fresh).toSorted(),
    )
    expect(pulled).toEqual([
      [...accepted.slice(0, 3), ...accepted.slice(10, 12)],
      [...accepted.slice(3, 6), ...accepted.slice(8, 10)],
      accepted.slice(6, 8),
    ])
    expect(await inbox.pull(5)).toEqual([])
  })

  test('released events are returned again, as on their first try', async () => {
    const inbox = createInbox(db)
    const accepted = await accept(texts(20))
    await inbox.release(await inbox.pull(200))
    const again = await createInbox(db).pull(200)
    expect(idsOf(again).toSorted()).toEqual(accepted.toSorted())
    expect(again.map(({ tries }) => tries)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(new Set(await commit(again))).toEqual(new Set(['routed']))
  })

  test('routed events are never returned again', async () => {
    const inbox = createInbox(db)
    await accept(texts(40))
    const pulled = await inbox.pull(200)
    expect(await commit(pulled)).toEqual(Array.from({ length: 40 }, () => 'routed'))
    await inbox.release(pulled)
    for (const reader of [inbox, createInbox(db)]) expect(await reader.pull(200)).toEqual([])
    expect(await database.query('SELECT FROM inbox')).toEqual([])
  })

  test('of two readers with the same event, one routes it', async () => {
    await accept(texts(30))
    const first = await createInbox(db).pull(200)
    // As if the first reader were slow.
    await database.query(`UPDATE inbox SET taken_until = now() - interval '1 second'`)
    const second = await createInbox(db).pull(200)
    expect(idsOf(second).toSorted()).toEqual(idsOf(first).toSorted())
    const results = (await Promise.all([commit(first), commit(second)])).flat()
    expect(results.filter((result) => result === 'routed')).toHaveLength(30)
    expect(results.filter((result) => result === 'gone')).toHaveLength(30)
  })

  test('a reader that dies delays its events and loses none', async () => {
    const [dead, alive] = [createInbox(db), createInbox(db)]
    const accepted = await accept(texts(20))
    expect(await dead.pull(200)).toHaveLength(20)
    const takenAt = performance.now()
    expect(await alive.pull(200)).toEqual([])
    const again = await pullUntil(alive, 20)
    const sinceMs = performance.now() - takenAt
    expect(idsOf(again).toSorted()).toEqual(accepted.toSorted())
    expect(sinceMs).toBeGreaterThanOrEqual(4_000)
    expect(sinceMs, `returned again after ${sinceMs} ms`).toBeLessThanOrEqual(7_000)
    expect(new Set(await commit(again))).toEqual(new Set(['routed']))
  })

  test('a thousand events over three readers are each routed once', async () => {
    const routed: string[] = []
    const stopping = new AbortController()
    const isFinished = (): boolean => routed.length >= 1_000 || stopping.signal.aborted
    const readers = [1, 2, 3].map(() => routeUntil(createInbox(db), isFinished, (id) => routed.push(id)))
    const accepted: string[] = []
    try {
      for (let call = 0; call < 50; call++) accepted.push(...(await accept(texts(20))))
      await expect.poll(() => routed.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1_000)
    } finally {
      stopping.abort()
      await Promise.all(readers)
    }
    expect(routed.toSorted()).toEqual(accepted.toSorted())
    expect(await database.query('SELECT FROM inbox')).toEqual([])
  })
})

describe('events set apart', () => {
  test('are pulled only by account, oldest first, and stay set apart when released', async () => {
    const inbox = createInbox(db)
    const accepted = await accept(texts(3))
    await inbox.setApart(await inbox.pull(200))
    const fresh = await accept(texts(1))
    expect(idsOf(await inbox.pull(200))).toEqual(fresh)
    expect(await inbox.accountsApart()).toEqual([accountId])
    const pulled = await inbox.pullApart([{ accountId, maxEvents: 2 }])
    expect(idsOf(pulled).toSorted()).toEqual(accepted.toSorted().slice(0, 2))
    expect(pulled.map(({ tries }) => tries)).toEqual([1, 1])
    await inbox.release(pulled)
    expect(await inbox.pull(200)).toEqual([])
    expect(idsOf(await inbox.pullApart([{ accountId, maxEvents: 9 }])).toSorted()).toEqual(
      accepted.toSorted(),
    )
    expect(await inbox.pullApart([{ accountId, maxEvents: 9 }])).toEqual([])
  })

  test('do not slow down reads of fresh events, regardless of their number', async () => {
    const inbox = createInbox(db)
    const insert = `INSERT INTO inbox (event_id, account_id, apart)
      SELECT uuid_v7(now() - interval '1 hour'), $1, true FROM generate_series(1, 100000)`
    const medianMs = async (): Promise<number> => {
      const times: number[] = []
      for (let count = 0; count < 31; count++) {
        const startedAt = performance.now()
        await inbox.pull(200)
        times.push(performance.now() - startedAt)
      }
      return times.toSorted((a, b) => a - b)[15] ?? 0
    }
    const before = await medianMs()
    await database.query(insert, [accountId])
    await database.query('ANALYZE inbox')
    const after = await medianMs()
    expect(await inbox.accountsApart()).toEqual([accountId])
    // Reading past them takes 20 ms or more.
    expect(after).toBeLessThan(before * 3 + 3)
  })
})
