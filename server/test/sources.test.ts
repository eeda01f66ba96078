/**
 * What holds of both sources of fresh events, inbox and stream, on real PostgreSQL and real NATS; and what the inbox
 * does beside a stream. Who has routed an event is judged by the route commit.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import type { Event } from '../src/model/event.ts'
import { createAccept } from '../src/pipeline/accept.ts'
import { makePartitions } from '../src/pipeline/ledger/partitions.ts'
import { createInboxSource } from '../src/pipeline/sources/inbox-source.ts'
import type { FreshEvent, Source } from '../src/pipeline/sources/source.ts'
import { createStreamSource } from '../src/pipeline/sources/stream-source.ts'
import { commitRoute, type RouteResult } from '../src/pipeline/work/commit-route.ts'
import { ensureStream, mostEventsAMessage, streamNames } from '../src/stream/fresh-events.ts'
import { type Nats, openNats } from '../src/stream/nats.ts'
import { createFreshPublisher, type FreshPublisher } from '../src/stream/publish-fresh.ts'
import { createFreshPuller } from '../src/stream/pull-fresh.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { inboundSms } from './gateway.ts'

let database: TestDatabase
let db: Database
let nats: Nats
let accountId: number
let hooksVersion: string
/** Of each test its own: a name, and so a stream. */
let installation: string
let publisher: FreshPublisher
let closing: AbortController
let errors: unknown[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 8, () => {})
  await makePartitions(db, Date.now())
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

/** Takes an event in as the api does; `announce` false: the stream is never given it. */
async function accept(datas: readonly object[], { announce = true } = {}): Promise<string[]> {
  const take = createAccept({
    db,
    limits: { eventsPerCall: 500, eventBytes: 262_144 },
    isOverQuota: async () => false,
    announce: announce ? publisher.publish : () => {},
  })
  const events = datas.map((data) => inboundSms(accountId, data))
  const { accepted, rejected } = await take(1, JSON.stringify({ events }))
  expect(rejected).toEqual([])
  return accepted
}

/** One event that only the inbox has. */
async function unannounced(): Promise<string> {
  const [id = ''] = await accept(texts(1), { announce: false })
  return id
}

function texts(count: number): object[] {
  return Array.from({ length: count }, (_, place) => ({ text: `event ${place}` }))
}

function streamSource(from = nats) {
  const puller = createFreshPuller(from, installation, (error) => errors.push(error))
  return createStreamSource({ puller, now: () => performance.now() })
}

/** The milliseconds in a version-7 UUID, when the database made it. */
function acceptedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

function idsOf(fresh: readonly FreshEvent[]): string[] {
  return fresh.map(({ event }) => event.id)
}

async function takeOnce(source: Source, most: number): Promise<FreshEvent[]> {
  return source.take(most, closing.signal)
}

/** Asks as a worker does until so many events have come. */
async function takeUntil(source: Source, count: number, withinMs = 10_000): Promise<FreshEvent[]> {
  const taken: FreshEvent[] = []
  const endsAt = performance.now() + withinMs
  while (taken.length < count) {
    if (performance.now() > endsAt)
      throw new Error(`only ${taken.length} of ${count} events in ${withinMs} ms`)
    const more = await takeOnce(source, 200)
    taken.push(...more)
    if (more.length === 0) await sleep(source.idleMs())
  }
  return taken
}

/** The route commit, for events that no hook wants. */
async function commit(fresh: readonly FreshEvent[]): Promise<Array<RouteResult['state']>> {
  const routed = fresh.map(({ event }) => ({ event, version: hooksVersion, stopsVersion: '0', matches: [] }))
  const results = await commitRoute(db, routed, { id: randomUUID(), seconds: 30 })
  return results.map(({ state }) => state)
}

async function messagesInStream(): Promise<number> {
  const manager = await jetstreamManager(await nats.first)
  return (await manager.streams.info(streamNames(installation).stream)).state.messages
}

/** Takes, commits and says so, as a worker does, until it is stopped; answers what it has routed itself. */
async function routeUntil(source: Source, isOver: () => boolean, onRouted: (id: string) => void) {
  while (!isOver()) {
    const fresh = await takeOnce(source, 64)
    if (fresh.length === 0) {
      await sleep(source.idleMs())
      continue
    }
    const results = await commit(fresh)
    for (const [place, { event }] of fresh.entries()) if (results[place] === 'routed') onRouted(event.id)
    source.routed(fresh)
  }
}

const kinds = {
  inbox: {
    open: (): Source => createInboxSource(db),
    /** Who takes what this source was given and is not routed. */
    backup: (source: Source): Source => source,
    mayExceedBy: 0,
    deadTakerMs: { atLeast: 4_000, atMost: 7_000 },
  },
  stream: {
    open: (): Source => streamSource(),
    backup: (source: Source): Source => createInboxSource(db, source as ReturnType<typeof streamSource>),
    mayExceedBy: mostEventsAMessage - 1,
    deadTakerMs: { atLeast: 2_000, atMost: 3_000 },
  },
}

describe.each(['inbox', 'stream'] as const)('%s', (kind) => {
  const { open, backup, mayExceedBy, deadTakerMs } = kinds[kind]

  test('gives out what was accepted, each event once', async () => {
    const source = open()
    const accepted = [...(await accept(texts(1))), ...(await accept(texts(30))), ...(await accept(texts(1)))]
    expect(idsOf(await takeUntil(source, 32)).toSorted()).toEqual(accepted.toSorted())
    expect(await takeOnce(source, 200)).toEqual([])
  })

  test('gives out events exactly as they were accepted', async () => {
    const odd = [
      'plain',
      'Grüße, 漢字, \u{1F680}\u{1F469}\u200D\u{1F4BB}, e\u0301',
      '"quotes", \'single\', \\ and \\" and \\n',
      'line feeds \n \r\n \t and \u2028 and \u2029 and \u0085',
      ' spaces   before and after ',
      '',
      '\uFEFF\uFFFD\uFFFF',
    ]
    const large = { text: 'ü"\u2028x'.repeat(25_000) }
    const datas = [
      ...odd.map((text) => ({ text })),
      large,
      { text: 'after', more: { list: [1e21, -0.5, null, true] } },
    ]
    const accepted = await accept(datas)
    const stored = await database.query<Event>(
      `SELECT id, account_id AS "accountId", type, accepted_at AS "acceptedAt", data FROM events WHERE id = ANY ($1::uuid[])`,
      [accepted],
    )
    const taken = (await takeUntil(open(), datas.length)).map(({ event }) => event)
    const byId = new Map(taken.map((event) => [event.id, event]))
    for (const [place, id] of accepted.entries()) {
      const { id: ownId, accountId: ownAccount, type, acceptedAt, data } = byId.get(id) ?? ({} as Event)
      expect({ id: ownId, accountId: ownAccount, type, acceptedAt }).toEqual(
        (({ data: _data, ...rest }) => rest)(stored.find((event) => event.id === id) ?? ({} as Event)),
      )
      const sent = (inboundSms(accountId, datas[place]) as { data: object }).data
      expect(Buffer.from(data).equals(Buffer.from(JSON.stringify(sent)))).toBe(true)
    }
    expect(Buffer.byteLength(byId.get(accepted[odd.length] ?? '')?.data ?? '')).toBeGreaterThan(200_000)
  })

  test(`gives out no more than it is asked for${mayExceedBy > 0 ? ', but for the rest of a message' : ''}`, async () => {
    const source = open()
    // Asked for many and given one: the stream still owes the others, and sends them as they come.
    const waiting = takeUntil(source, 1)
    const accepted = await accept(texts(1))
    const taken = await waiting
    accepted.push(...(await accept(texts(150))))
    await sleep(200)
    for (let asked = 0; taken.length < accepted.length && asked < 150; asked++) {
      const more = await takeOnce(source, 5)
      expect(more.length).toBeLessThanOrEqual(5 + mayExceedBy)
      taken.push(...more)
    }
    expect(idsOf(taken).toSorted()).toEqual(accepted.toSorted())
  })

  test('what was given back can be routed', async () => {
    const source = open()
    const accepted = await accept(texts(20))
    const first = await takeUntil(source, 20)
    await source.giveBack(first)
    const again = await takeUntil(backup(source), 20)
    expect(idsOf(again).toSorted()).toEqual(accepted.toSorted())
    expect(again.map(({ tries }) => tries)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(new Set(await commit(again))).toEqual(new Set(['routed']))
  })

  test('what was routed never comes again', async () => {
    const source = open()
    await accept(texts(40))
    const taken = await takeUntil(source, 40)
    expect(new Set(await commit(taken))).toEqual(new Set(['routed']))
    source.routed(taken)
    for (const asked of [source, backup(source), open()]) expect(await takeOnce(asked, 200)).toEqual([])
    // Not kept anywhere to come later either.
    expect(await database.query('SELECT FROM inbox')).toEqual([])
    if (kind === 'stream') await expect.poll(messagesInStream).toBe(0)
  })

  test('of two that took the same event, one routes it', async () => {
    const [one, other] = [open(), open()]
    await accept(texts(30))
    const first = await takeUntil(one, 30)
    expect(one.close()).toEqual([])
    // As if the first had been slow; or, of the stream, as if the api had announced them twice.
    await database.query(`UPDATE inbox SET taken_until = now() - interval '1 second'`)
    publisher.publish(first.map(({ event }) => event))
    const second = await takeUntil(other, 30)
    expect(idsOf(second).toSorted()).toEqual(idsOf(first).toSorted())
    const results = await Promise.all([commit(first), commit(second)])
    expect(results.flat().filter((result) => result === 'routed')).toHaveLength(30)
    expect(results.flat().filter((result) => result === 'gone')).toHaveLength(30)
  })

  test('when it is closed, it hands out what it had; what it had not is for others', async () => {
    const source = open()
    const waiting = takeUntil(source, 1)
    const accepted: string[] = []
    for (const data of texts(20)) accepted.push(...(await accept([data])))
    const first = await waiting
    // What the stream was asked for is on its way.
    await sleep(500)
    const left = source.close()
    if (kind === 'stream') expect(left).not.toEqual([])
    expect(source.close()).toEqual([])
    const others = await takeUntil(open(), accepted.length - first.length - left.length)
    expect(idsOf([...first, ...left, ...others]).toSorted()).toEqual(accepted.toSorted())
  })

  test('a taker that dies delays its events and loses none', async () => {
    const [dead, alive] = [open(), open()]
    const accepted = await accept(texts(20))
    expect(await takeUntil(dead, 20)).toHaveLength(20)
    const takenAt = Date.now()
    // Asked once, so that it knows of the stream.
    expect(await takeOnce(alive, 200)).toEqual([])
    const again = await takeUntil(backup(alive), 20)
    const sinceMs = Date.now() - (kind === 'inbox' ? takenAt : acceptedMs(accepted[0] ?? ''))
    expect(idsOf(again).toSorted()).toEqual(accepted.toSorted())
    expect(sinceMs).toBeGreaterThanOrEqual(deadTakerMs.atLeast)
    expect(sinceMs, `taken again after ${sinceMs} ms`).toBeLessThanOrEqual(deadTakerMs.atMost)
    expect(new Set(await commit(again))).toEqual(new Set(['routed']))
  })

  test('a stop ends a take that waits, at once', async () => {
    const source = open()
    // The first makes sure of the stream; what is timed is the wait.
    await takeOnce(source, 200)
    const stopping = new AbortController()
    const waiting = source.take(200, stopping.signal)
    await sleep(100)
    const stoppedAt = performance.now()
    stopping.abort()
    expect(await waiting).toEqual([])
    expect(await source.take(200, stopping.signal)).toEqual([])
    expect(performance.now() - stoppedAt).toBeLessThan(400)
  })

  test('a thousand events over three takers are each routed once', async () => {
    const routed: string[] = []
    const isOver = (): boolean => routed.length >= 1_000 || closing.signal.aborted
    const takers = [1, 2, 3].map(() => routeUntil(open(), isOver, (id) => routed.push(id)))
    const accepted: string[] = []
    for (let call = 0; call < 50; call++) accepted.push(...(await accept(texts(20))))
    await expect.poll(() => routed.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1_000)
    await Promise.all(takers)
    expect(routed.toSorted()).toEqual(accepted.toSorted())
    expect(await database.query('SELECT FROM inbox')).toEqual([])
  })
})

describe('the inbox beside a stream', () => {
  test('takes nothing younger than two seconds while the stream moves', async () => {
    const stream = streamSource()
    const inbox = createInboxSource(db, stream)
    const byStream = await accept(texts(8))
    expect(idsOf(await takeUntil(stream, 8)).toSorted()).toEqual(byStream.toSorted())
    expect(stream.isMoving()).toBe(true)
    const forgotten = await accept(texts(8), { announce: false })
    expect(await takeOnce(inbox, 200)).toEqual([])
    const ages = new Map<string, number>()
    while (ages.size < 16)
      for (const { event } of await takeUntil(inbox, 1)) ages.set(event.id, Date.now() - acceptedMs(event.id))
    expect([...ages.keys()].toSorted()).toEqual([...byStream, ...forgotten].toSorted())
    expect(Math.min(...ages.values())).toBeGreaterThanOrEqual(2_000)
    expect(Math.max(...ages.values()), `ages ${[...ages.values()].join(', ')} ms`).toBeLessThanOrEqual(3_000)
  })

  test('takes everything at once when there is no connection', async () => {
    const nobody = openNats(new URL(`nats://127.0.0.1:${await freePort()}`), () => {})
    const stream = streamSource(nobody)
    const inbox = createInboxSource(db, stream)
    expect(await takeOnce(stream, 200)).toEqual([])
    const accepted = await accept(texts(8), { announce: false })
    expect(idsOf(await takeOnce(inbox, 200)).toSorted()).toEqual(accepted.toSorted())
    await nobody.close()
  })

  test('takes everything at once as long as the stream has not been found', async () => {
    const inbox = createInboxSource(db, streamSource())
    const accepted = await accept(texts(8))
    expect(idsOf(await takeOnce(inbox, 200)).toSorted()).toEqual(accepted.toSorted())
  })

  test('takes over within three seconds from a stream that stands still, and steps back when it moves', async () => {
    const stream = streamSource()
    const inbox = createInboxSource(db, stream)
    const delays = new Map<string, number>()
    const isOver = (): boolean => closing.signal.aborted
    const note = (id: string): unknown => delays.set(id, Date.now() - acceptedMs(id))
    const running = [stream, inbox].map((source) => routeUntil(source, isOver, note))
    await expect.poll(() => stream.isMoving()).toBe(true)
    const delayOf = async (id: string): Promise<number> => {
      await expect.poll(() => delays.get(id), { timeout: 10_000, interval: 10 }).toBeDefined()
      return delays.get(id) ?? Number.NaN
    }

    const first = await unannounced()
    await sleep(1_500)
    const second = await unannounced()
    // Long enough for the stream to be quiet while the second one waits.
    const [firstMs, secondMs] = [await delayOf(first), await delayOf(second)]
    expect(firstMs, `the first waited ${firstMs} ms`).toBeLessThanOrEqual(3_000)
    expect(secondMs, `the second waited ${secondMs} ms`).toBeLessThanOrEqual(3_000 - 1_500)
    const atOnceMs = await delayOf(await unannounced())
    expect(atOnceMs, `after the take-over ${atOnceMs} ms`).toBeLessThan(1_000)

    // Announced ones may go by either way; enough of them, and some come by the stream.
    for (let count = 0; !stream.isMoving() && count < 100; count++) await accept(texts(1))
    await expect.poll(() => stream.isMoving()).toBe(true)
    const agedMs = await delayOf(await unannounced())
    expect(agedMs, `after the stream moved again ${agedMs} ms`).toBeGreaterThanOrEqual(2_000)
    closing.abort()
    await Promise.all(running)
  })
})

describe('events that are set apart', () => {
  test('are taken by account only, the oldest first, and given back to where they were', async () => {
    const inbox = createInboxSource(db)
    const accepted = await accept(texts(3), { announce: false })
    await inbox.setApart(await takeOnce(inbox, 200))
    const fresh = await unannounced()
    expect(idsOf(await takeOnce(inbox, 200))).toEqual([fresh])
    expect(await inbox.accountsApart()).toEqual([accountId])
    const taken = await inbox.takeApart([{ accountId, maxEvents: 2 }])
    expect(idsOf(taken).toSorted()).toEqual(accepted.toSorted().slice(0, 2))
    expect(taken.map(({ tries }) => tries)).toEqual([1, 1])
    await inbox.giveBack(taken)
    expect(await takeOnce(inbox, 200)).toEqual([])
    expect(idsOf(await inbox.takeApart([{ accountId, maxEvents: 9 }])).toSorted()).toEqual(
      accepted.toSorted(),
    )
    expect(await inbox.takeApart([{ accountId, maxEvents: 9 }])).toEqual([])
  })

  test('cost a worker nothing when it takes fresh events, however many they are', async () => {
    const inbox = createInboxSource(db)
    const insert = `INSERT INTO inbox (event_id, account_id, apart)
      SELECT uuid_v7(now() - interval '1 hour'), $1, true FROM generate_series(1, 100000)`
    const medianMs = async (): Promise<number> => {
      const times: number[] = []
      for (let count = 0; count < 31; count++) {
        const startedAt = performance.now()
        await takeOnce(inbox, 200)
        times.push(performance.now() - startedAt)
      }
      return times.toSorted((a, b) => a - b)[15] ?? 0
    }
    const before = await medianMs()
    await database.query(insert, [accountId])
    await database.query('ANALYZE inbox')
    const after = await medianMs()
    expect(await inbox.accountsApart()).toEqual([accountId])
    // To read past them takes 20 ms and more.
    expect(after).toBeLessThan(before * 3 + 3)
  })
})
