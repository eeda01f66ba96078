/**
 * Tests both sources of fresh events, inbox and stream, with real PostgreSQL and real NATS, and the inbox beside a
 * stream. The route commit verifies which source routed an event.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { noTracing } from '../../src/runtime/tracing.ts'
import type { Event } from '../../src/model/event.ts'
import { createAccept } from '../../src/delivery/accept.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { createInboxSource } from '../../src/delivery/sources/inbox-source.ts'
import type { FreshEvent, Source } from '../../src/delivery/sources/source.ts'
import { createStreamSource } from '../../src/delivery/sources/stream-source.ts'
import { commitRoute, type RouteResult } from '../../src/delivery/queue/commit-route.ts'
import { ensureStream, maxEventsPerMessage, streamNames } from '../../src/nats/fresh-events.ts'
import { type Nats, openNats } from '../../src/nats/nats.ts'
import { createFreshPublisher, type FreshPublisher } from '../../src/nats/publish-fresh.ts'
import { createFreshPuller } from '../../src/nats/pull-fresh.ts'
import { builtInTypes } from '../support/built-in-types.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { inboundSms } from '../support/gateway.ts'

let database: TestDatabase
let db: Database
let nats: Nats
let accountId: number
let hooksVersion: string
/** Each test has a separate name and therefore a separate stream. */
let installation: string
let publisher: FreshPublisher
let closing: AbortController
let errors: unknown[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 8, () => {})
  await createPartitions(db, Date.now())
  const [account] = await database.query<{ id: number; version: string }>(
    `INSERT INTO accounts (name) VALUES ('sources') RETURNING id, hooks_version AS version`,
  )
  if (account === undefined) throw new Error('no account')
  accountId = account.id
  hooksVersion = account.version
  nats = openNats(new URL(inject('natsUrl')), () => {})
})
afterAll(async () => {
  await nats.close()
  await db.destroy()
  await database.drop()
})

beforeEach(async () => {
  installation = `test-${randomBytes(6).toString('hex')}`
  errors = []
  closing = new AbortController()
  publisher = createFreshPublisher(nats, installation, (error) => errors.push(error))
  await ensureStream(await nats.first, installation)
})
afterEach(async () => {
  closing.abort()
  await database.query('DELETE FROM inbox')
  const manager = await jetstreamManager(await nats.first)
  await manager.streams.delete(streamNames(installation).stream)
  expect(errors).toEqual([])
})

/** Accepts events like the api. With `publish: false` they are not published to the stream. */
async function accept(payloads: readonly object[], { publish = true } = {}): Promise<string[]> {
  const acceptEvents = createAccept({
    db,
    limits: { eventsPerCall: 500, eventBytes: 262_144 },
    eventTypes: builtInTypes,
    tracing: noTracing,
    isOverQuota: async () => false,
    publish: publish ? publisher.publish : () => {},
  })
  const events = payloads.map((data) => inboundSms(accountId, data))
  const { accepted, rejected } = await acceptEvents(1, JSON.stringify({ events }))
  expect(rejected).toEqual([])
  return accepted
}

/** Accepts one event that only the inbox has. */
async function acceptUnpublished(): Promise<string> {
  const [id = ''] = await accept(texts(1), { publish: false })
  return id
}

function texts(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ text: `event ${index}` }))
}

function streamSource(from = nats) {
  const puller = createFreshPuller(from, installation, (error) => errors.push(error))
  return createStreamSource({ puller, now: () => performance.now() })
}

/** Returns the timestamp of a version 7 UUID, set by the database. */
function acceptedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

function idsOf(fresh: readonly FreshEvent[]): string[] {
  return fresh.map(({ event }) => event.id)
}

async function pollOnce(source: Source, max: number): Promise<FreshEvent[]> {
  return source.pull(max, closing.signal)
}

/** Polls like a worker until the given number of events has arrived. */
async function pollUntil(source: Source, count: number, withinMs = 10_000): Promise<FreshEvent[]> {
  const polled: FreshEvent[] = []
  const deadline = performance.now() + withinMs
  while (polled.length < count) {
    if (performance.now() > deadline)
      throw new Error(`only ${polled.length} of ${count} events in ${withinMs} ms`)
    const batch = await pollOnce(source, 200)
    polled.push(...batch)
    if (batch.length === 0) await sleep(source.idleMs())
  }
  return polled
}

/** Runs the route commit for events without matching hooks. */
async function commit(fresh: readonly FreshEvent[]): Promise<Array<RouteResult['state']>> {
  const routed = fresh.map(({ event }) => ({ event, version: hooksVersion, stopsVersion: '0', matches: [] }))
  const results = await commitRoute(db, routed, { id: randomUUID(), seconds: 30 })
  return results.map(({ state }) => state)
}

async function messagesInStream(): Promise<number> {
  const manager = await jetstreamManager(await nats.first)
  return (await manager.streams.info(streamNames(installation).stream)).state.messages
}

/** Polls and routes events like a worker until it is finished, and reports each event it has routed. */
async function routeUntil(source: Source, isFinished: () => boolean, onRouted: (id: string) => void) {
  while (!isFinished()) {
    const fresh = await pollOnce(source, 64)
    if (fresh.length === 0) {
      await sleep(source.idleMs())
      continue
    }
    const results = await commit(fresh)
    for (const [index, { event }] of fresh.entries()) if (results[index] === 'routed') onRouted(event.id)
    source.routed(fresh)
  }
}

const kinds = {
  inbox: {
    open: (): Source => createInboxSource(db),
    /** Returns the source that polls events which this source got but did not route. */
    backup: (source: Source): Source => source,
    maxExcess: 0,
    takeoverMs: { min: 4_000, max: 7_000 },
  },
  stream: {
    open: (): Source => streamSource(),
    backup: (source: Source): Source => createInboxSource(db, source as ReturnType<typeof streamSource>),
    maxExcess: maxEventsPerMessage - 1,
    takeoverMs: { min: 2_000, max: 3_000 },
  },
}

describe.each(['inbox', 'stream'] as const)('%s', (kind) => {
  const { open, backup, maxExcess, takeoverMs } = kinds[kind]

  test('returns each accepted event once', async () => {
    const source = open()
    const accepted = [...(await accept(texts(1))), ...(await accept(texts(30))), ...(await accept(texts(1)))]
    expect(idsOf(await pollUntil(source, 32)).toSorted()).toEqual(accepted.toSorted())
    expect(await pollOnce(source, 200)).toEqual([])
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
    const stored = await database.query<Event>(
      `SELECT id, account_id AS "accountId", type, accepted_at AS "acceptedAt", data FROM events WHERE id = ANY ($1::uuid[])`,
      [accepted],
    )
    const polled = (await pollUntil(open(), payloads.length)).map(({ event }) => event)
    const byId = new Map(polled.map((event) => [event.id, event]))
    for (const [index, id] of accepted.entries()) {
      const { id: polledId, accountId: polledAccount, type, acceptedAt, data } = byId.get(id) ?? ({} as Event)
      expect({ id: polledId, accountId: polledAccount, type, acceptedAt }).toEqual(
        (({ data: _data, ...rest }) => rest)(stored.find((event) => event.id === id) ?? ({} as Event)),
      )
      const sent = (inboundSms(accountId, payloads[index]) as { data: object }).data
      expect(Buffer.from(data).equals(Buffer.from(JSON.stringify(sent)))).toBe(true)
    }
    expect(Buffer.byteLength(byId.get(accepted[unusualTexts.length] ?? '')?.data ?? '')).toBeGreaterThan(
      200_000,
    )
  })

  test(`returns at most the requested number of events${maxExcess > 0 ? ', plus the rest of a message' : ''}`, async () => {
    const source = open()
    // After a poll for many events that got one, the stream still sends the others as they arrive.
    const polling = pollUntil(source, 1)
    const accepted = await accept(texts(1))
    const polled = await polling
    accepted.push(...(await accept(texts(150))))
    await sleep(200)
    for (let polls = 0; polled.length < accepted.length && polls < 150; polls++) {
      const batch = await pollOnce(source, 5)
      expect(batch.length).toBeLessThanOrEqual(5 + maxExcess)
      polled.push(...batch)
    }
    expect(idsOf(polled).toSorted()).toEqual(accepted.toSorted())
  })

  test('released events can be routed', async () => {
    const source = open()
    const accepted = await accept(texts(20))
    const first = await pollUntil(source, 20)
    await source.release(first)
    const repolled = await pollUntil(backup(source), 20)
    expect(idsOf(repolled).toSorted()).toEqual(accepted.toSorted())
    expect(repolled.map(({ tries }) => tries)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(new Set(await commit(repolled))).toEqual(new Set(['routed']))
  })

  test('routed events are never returned again', async () => {
    const source = open()
    await accept(texts(40))
    const polled = await pollUntil(source, 40)
    expect(new Set(await commit(polled))).toEqual(new Set(['routed']))
    source.routed(polled)
    for (const other of [source, backup(source), open()]) expect(await pollOnce(other, 200)).toEqual([])
    // They are not stored anywhere for later either.
    expect(await database.query('SELECT FROM inbox')).toEqual([])
    if (kind === 'stream') await expect.poll(messagesInStream).toBe(0)
  })

  test('of two sources with the same event, one routes it', async () => {
    const [one, other] = [open(), open()]
    await accept(texts(30))
    const first = await pollUntil(one, 30)
    expect(one.close()).toEqual([])
    // As if the first source were slow or, for the stream, as if the api had published the events twice.
    await database.query(`UPDATE inbox SET taken_until = now() - interval '1 second'`)
    publisher.publish(first.map(({ event }) => event))
    const second = await pollUntil(other, 30)
    expect(idsOf(second).toSorted()).toEqual(idsOf(first).toSorted())
    const results = await Promise.all([commit(first), commit(second)])
    expect(results.flat().filter((result) => result === 'routed')).toHaveLength(30)
    expect(results.flat().filter((result) => result === 'gone')).toHaveLength(30)
  })

  test('on close, returns its remaining events, and leaves all others to other sources', async () => {
    const source = open()
    const polling = pollUntil(source, 1)
    const accepted: string[] = []
    for (const data of texts(20)) accepted.push(...(await accept([data])))
    const first = await polling
    // The requested messages of the stream are in flight.
    await sleep(500)
    const remaining = source.close()
    if (kind === 'stream') expect(remaining).not.toEqual([])
    expect(source.close()).toEqual([])
    const others = await pollUntil(open(), accepted.length - first.length - remaining.length)
    expect(idsOf([...first, ...remaining, ...others]).toSorted()).toEqual(accepted.toSorted())
  })

  test('a source that dies delays its events and loses none', async () => {
    const [dead, alive] = [open(), open()]
    const accepted = await accept(texts(20))
    expect(await pollUntil(dead, 20)).toHaveLength(20)
    const takenAt = Date.now()
    // One poll makes the source find the stream.
    expect(await pollOnce(alive, 200)).toEqual([])
    const repolled = await pollUntil(backup(alive), 20)
    const sinceMs = Date.now() - (kind === 'inbox' ? takenAt : acceptedMs(accepted[0] ?? ''))
    expect(idsOf(repolled).toSorted()).toEqual(accepted.toSorted())
    expect(sinceMs).toBeGreaterThanOrEqual(takeoverMs.min)
    expect(sinceMs, `polled again after ${sinceMs} ms`).toBeLessThanOrEqual(takeoverMs.max)
    expect(new Set(await commit(repolled))).toEqual(new Set(['routed']))
  })

  test('a stop ends a waiting poll immediately', async () => {
    const source = open()
    // The first poll finds the stream, so that only the wait is measured.
    await pollOnce(source, 200)
    const stopping = new AbortController()
    const polling = source.pull(200, stopping.signal)
    await sleep(100)
    const stoppedAt = performance.now()
    stopping.abort()
    expect(await polling).toEqual([])
    expect(await source.pull(200, stopping.signal)).toEqual([])
    expect(performance.now() - stoppedAt).toBeLessThan(400)
  })

  test('a thousand events over three sources are each routed once', async () => {
    const routed: string[] = []
    const isFinished = (): boolean => routed.length >= 1_000 || closing.signal.aborted
    const sources = [1, 2, 3].map(() => routeUntil(open(), isFinished, (id) => routed.push(id)))
    const accepted: string[] = []
    for (let call = 0; call < 50; call++) accepted.push(...(await accept(texts(20))))
    await expect.poll(() => routed.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1_000)
    await Promise.all(sources)
    expect(routed.toSorted()).toEqual(accepted.toSorted())
    expect(await database.query('SELECT FROM inbox')).toEqual([])
  })
})

describe('the inbox beside a stream', () => {
  test('returns no event younger than two seconds while the stream delivers', async () => {
    const stream = streamSource()
    const inbox = createInboxSource(db, stream)
    const fromStream = await accept(texts(8))
    expect(idsOf(await pollUntil(stream, 8)).toSorted()).toEqual(fromStream.toSorted())
    expect(stream.isMoving()).toBe(true)
    const unpublishedIds = await accept(texts(8), { publish: false })
    expect(await pollOnce(inbox, 200)).toEqual([])
    const ages = new Map<string, number>()
    while (ages.size < 16)
      for (const { event } of await pollUntil(inbox, 1)) ages.set(event.id, Date.now() - acceptedMs(event.id))
    expect([...ages.keys()].toSorted()).toEqual([...fromStream, ...unpublishedIds].toSorted())
    expect(Math.min(...ages.values())).toBeGreaterThanOrEqual(2_000)
    expect(Math.max(...ages.values()), `ages ${[...ages.values()].join(', ')} ms`).toBeLessThanOrEqual(3_000)
  })

  test('returns all events immediately without a connection', async () => {
    const unreachable = openNats(new URL(`nats://127.0.0.1:${await freePort()}`), () => {})
    const stream = streamSource(unreachable)
    const inbox = createInboxSource(db, stream)
    expect(await pollOnce(stream, 200)).toEqual([])
    const accepted = await accept(texts(8), { publish: false })
    expect(idsOf(await pollOnce(inbox, 200)).toSorted()).toEqual(accepted.toSorted())
    await unreachable.close()
  })

  test('returns all events immediately until the stream has been found', async () => {
    const inbox = createInboxSource(db, streamSource())
    const accepted = await accept(texts(8))
    expect(idsOf(await pollOnce(inbox, 200)).toSorted()).toEqual(accepted.toSorted())
  })

  test('takes over from a stalled stream within three seconds, and steps back when the stream delivers again', async () => {
    const stream = streamSource()
    const inbox = createInboxSource(db, stream)
    const delays = new Map<string, number>()
    const isFinished = (): boolean => closing.signal.aborted
    const recordDelay = (id: string): unknown => delays.set(id, Date.now() - acceptedMs(id))
    const running = [stream, inbox].map((source) => routeUntil(source, isFinished, recordDelay))
    await expect.poll(() => stream.isMoving()).toBe(true)
    const delayOf = async (id: string): Promise<number> => {
      await expect.poll(() => delays.get(id), { timeout: 10_000, interval: 10 }).toBeDefined()
      return delays.get(id) ?? Number.NaN
    }

    const first = await acceptUnpublished()
    await sleep(1_500)
    const second = await acceptUnpublished()
    // Long enough for the stream to be idle while the second event waits.
    const [firstMs, secondMs] = [await delayOf(first), await delayOf(second)]
    expect(firstMs, `the first waited ${firstMs} ms`).toBeLessThanOrEqual(3_000)
    expect(secondMs, `the second waited ${secondMs} ms`).toBeLessThanOrEqual(3_000 - 1_500)
    const immediateMs = await delayOf(await acceptUnpublished())
    expect(immediateMs, `after the takeover ${immediateMs} ms`).toBeLessThan(1_000)

    // Published events can arrive from either source. With enough of them, some arrive from the stream.
    for (let count = 0; !stream.isMoving() && count < 100; count++) await accept(texts(1))
    await expect.poll(() => stream.isMoving()).toBe(true)
    const agedMs = await delayOf(await acceptUnpublished())
    expect(agedMs, `after the stream delivered again ${agedMs} ms`).toBeGreaterThanOrEqual(2_000)
    closing.abort()
    await Promise.all(running)
  })
})

describe('events set apart', () => {
  test('are polled only by account, oldest first, and stay set apart when released', async () => {
    const inbox = createInboxSource(db)
    const accepted = await accept(texts(3), { publish: false })
    await inbox.setApart(await pollOnce(inbox, 200))
    const fresh = await acceptUnpublished()
    expect(idsOf(await pollOnce(inbox, 200))).toEqual([fresh])
    expect(await inbox.accountsApart()).toEqual([accountId])
    const polled = await inbox.pullApart([{ accountId, maxEvents: 2 }])
    expect(idsOf(polled).toSorted()).toEqual(accepted.toSorted().slice(0, 2))
    expect(polled.map(({ tries }) => tries)).toEqual([1, 1])
    await inbox.release(polled)
    expect(await pollOnce(inbox, 200)).toEqual([])
    expect(idsOf(await inbox.pullApart([{ accountId, maxEvents: 9 }])).toSorted()).toEqual(
      accepted.toSorted(),
    )
    expect(await inbox.pullApart([{ accountId, maxEvents: 9 }])).toEqual([])
  })

  test('do not slow down polls for fresh events, regardless of their number', async () => {
    const inbox = createInboxSource(db)
    const insert = `INSERT INTO inbox (event_id, account_id, apart)
      SELECT uuid_v7(now() - interval '1 hour'), $1, true FROM generate_series(1, 100000)`
    const medianMs = async (): Promise<number> => {
      const times: number[] = []
      for (let count = 0; count < 31; count++) {
        const startedAt = performance.now()
        await pollOnce(inbox, 200)
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
