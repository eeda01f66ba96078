/** Searching the ledger: a random ledger of several days, and every search compared with a plain look at all of it. */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { eventRows } from '../src/pipeline/ledger/event-rows.ts'
import { type EventSearch, findDeliveries, findEvents } from '../src/pipeline/ledger/find-events.ts'
import { makePartitions } from '../src/pipeline/ledger/partitions.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

vi.setConfig({ testTimeout: 120_000 })

const dayMs = 24 * 60 * 60 * 1_000
const days = 5
const own = 1
const other = 2

let database: TestDatabase
let db: Database
let ledger: Entry[]

interface Entry {
  accountId: number
  id: string
  at: Date
  type: string
  messageId: string
  sender: string
  recipient: string
  foreignId: string | null
  deliveries: Delivery[]
}

/** To one hook: the first round, and each time that it was sent again. */
interface Delivery {
  hookId: number
  rounds: Round[]
}

interface Round {
  state: string
  reason: string | null
  attempts: Array<{ reason: string; status: number | null }>
}

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 4, () => {})
  for (let day = 0; day < days; day++) await makePartitions(db, Date.now() - day * dayMs)
  ledger = fc.sample(entry, { numRuns: 600, seed: 77 })
  for (const given of ledger) await write(given)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const attempt = fc.constantFrom(
  { reason: 'status', status: 500 },
  { reason: 'status', status: 404 },
  { reason: 'redirect', status: 302 },
  { reason: 'timeout', status: null },
)
const success = { reason: 'delivered', status: 204 }
const ends = ['delivered', 'delivered', 'failed', 'expired', 'cancelled']
const roundOf = (...states: string[]): fc.Arbitrary<Round> =>
  fc
    .record({ state: fc.constantFrom(...states), failures: fc.array(attempt, { maxLength: 3 }) })
    .map(({ state, failures }) => ({
      state,
      attempts: state === 'delivered' ? [...failures, success] : failures,
      reason: endOf(state, failures),
    }))
const delivery: fc.Arbitrary<Delivery> = fc
  .record({
    hookId: fc.integer({ min: 1, max: 4 }),
    // One in three was sent again, once or twice.
    before: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(roundOf(...ends), { minLength: 1, maxLength: 2 }) },
    ),
    last: roundOf(...ends, 'waiting', 'held'),
  })
  .map(({ hookId, before, last }) => ({ hookId, rounds: [...before, last] }))

/** Distinct hooks: one delivery each. */
const entry: fc.Arbitrary<Entry> = fc
  .record({
    accountId: fc.constantFrom(own, own, own, other),
    age: fc.integer({ min: 0, max: (days - 1) * dayMs }),
    type: fc.constantFrom('sms_mo', 'sms_mo', 'dlr', 'rcs'),
    messageId: fc.integer({ min: 1, max: 80 }).map(String),
    sender: fc.constantFrom('491701', '491702', '491703', 'Bank'),
    recipient: fc.constantFrom('4930', '491701', '3'),
    foreignId: fc.constantFrom(null, 'campaign', 'order 7'),
    deliveries: fc.uniqueArray(delivery, { maxLength: 3, selector: ({ hookId }) => hookId }),
  })
  .map(({ age, ...rest }) => {
    const at = new Date(Math.floor(now - age))
    return { ...rest, at, id: idAt(at) }
  })
const now = Date.now() - 5_000

function endOf(state: string, failures: ReadonlyArray<{ reason: string }>): string | null {
  if (state === 'waiting' || state === 'held') return null
  if (state === 'cancelled') return 'hook_deleted'
  return state === 'delivered' ? 'delivered' : (failures.at(-1)?.reason ?? 'retention')
}

function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
}

async function write({ deliveries, ...given }: Entry): Promise<void> {
  const { query } = database
  await query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at, message_id, sender, recipient, foreign_id)
     VALUES ($1, $2, $3, '{}', 1, $4, $5, $6, $7, $8)`,
    [
      given.accountId,
      given.id,
      given.type,
      given.at,
      given.messageId,
      given.sender,
      given.recipient,
      given.foreignId,
    ],
  )
  for (const { hookId, rounds } of deliveries)
    for (const [place, { state, reason, attempts }] of rounds.entries()) {
      const key = [given.accountId, given.id, hookId, place + 1]
      if (reason === null)
        await query(
          `INSERT INTO work (account_id, event_id, hook_id, round, type, accepted_at, due_at, held)
           VALUES ($1, $2, $3, $4, 'sms_mo', now(), now(), $5)`,
          [...key, state === 'held'],
        )
      else
        await query(
          `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [...key, state, reason, attempts.length],
        )
      for (const [count, made] of attempts.entries())
        await query(
          `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, total_ms, worker)
           VALUES ($1, $2, $3, $4, $5, now(), $6, $7, 5, 'test')`,
          [...key, count + 1, made.reason, made.status],
        )
    }
}

const someTime = fc.integer({ min: 0, max: (days - 1) * dayMs }).map((age) => new Date(now - age))
/** Two or three things in a search, mostly. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const search: fc.Arbitrary<EventSearch> = fc.record({
  text: maybe(fc.constantFrom('3', '7', '491701', '+49 1701', 'campaign', 'order 7', 'nothing')),
  messageId: maybe(fc.integer({ min: 1, max: 80 }).map(String)),
  number: maybe(fc.constantFrom('491701', '0049 1702', '+491703', 'Bank', '4930', '3')),
  foreignId: maybe(fc.constantFrom('campaign', 'order 7')),
  type: maybe(fc.constantFrom('sms_mo', 'dlr', 'rcs')),
  hookId: maybe(fc.integer({ min: 1, max: 5 })),
  state: maybe(fc.constantFrom('delivered', 'failed', 'expired', 'cancelled', 'waiting', 'held')),
  status: maybe(fc.constantFrom(500, 404, 302, 204)),
  reason: maybe(fc.constantFrom('status', 'timeout', 'hook_deleted', 'retention', 'delivered')),
  from: maybe(someTime),
  to: maybe(someTime),
})

const numbers: Record<string, string> = { '+49 1701': '491701', '0049 1702': '491702', '+491703': '491703' }

/** By looking at everything. */
function wanted(given: EventSearch): Entry[] {
  return ledger
    .filter((one) => one.accountId === own && fits(one, given))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

function fits(one: Entry, given: EventSearch): boolean {
  const isNumber = (text: string): boolean => [one.sender, one.recipient].includes(numbers[text] ?? text)
  const { text } = given
  const isText =
    text === undefined ||
    one.messageId === text ||
    one.foreignId === text ||
    isNumber(text) ||
    one.deliveries.some(({ hookId }) => String(hookId) === text)
  const asksDelivery = [given.hookId, given.state, given.status, given.reason].some(
    (asked) => asked !== undefined,
  )
  return (
    isText &&
    (given.messageId === undefined || one.messageId === given.messageId) &&
    (given.number === undefined || isNumber(given.number)) &&
    (given.foreignId === undefined || one.foreignId === given.foreignId) &&
    (given.type === undefined || one.type === given.type) &&
    (given.from === undefined || one.at >= given.from) &&
    (given.to === undefined || one.at < given.to) &&
    (!asksDelivery || one.deliveries.some((delivered) => isWanted(delivered, given)))
  )
}

/** By its last round alone. */
function isWanted(one: Delivery, { hookId, state, status, reason }: EventSearch): boolean {
  const last = one.rounds.at(-1)
  if (last === undefined) throw new Error('a delivery has a round')
  const isTried = last.attempts.some(
    (made) => (status ?? made.status) === made.status && (reason ?? made.reason) === made.reason,
  )
  return (
    (hookId === undefined || one.hookId === hookId) &&
    (state === undefined || last.state === state) &&
    ((status === undefined && reason === undefined) ||
      isTried ||
      (status === undefined && last.reason === reason))
  )
}

async function allPages(given: EventSearch, page: { limit: number; budgetMs?: number }): Promise<string[]> {
  const ids: string[] = []
  let before: string | undefined
  for (;;) {
    const found = await findEvents(db, own, given, { ...page, before })
    expect(found.ids.length).toBeLessThanOrEqual(page.limit)
    ids.push(...found.ids)
    if (found.next === null) return ids
    before = found.next
  }
}

test('every search finds exactly what a look at everything finds, newest first, and nothing of another account', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(search, fc.integer({ min: 5, max: 60 }), async (given, limit) => {
      const expected = wanted(given).map(({ id }) => id)
      expect(await allPages(given, { limit })).toEqual(expected)
      found += expected.length
    }),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(500)
})

const alone: EventSearch[] = [
  {},
  { text: '491701' },
  { text: '3' },
  { messageId: '7' },
  { number: '+491703' },
  { foreignId: 'campaign' },
  { type: 'rcs' },
  { hookId: 2 },
  { state: 'delivered' },
  { state: 'failed' },
  { state: 'waiting' },
  { state: 'held' },
  { status: 500 },
  { status: 204 },
  { reason: 'timeout' },
  { reason: 'hook_deleted' },
  { reason: 'delivered' },
]

test('each thing alone can be searched by', async () => {
  for (const given of alone) {
    const expected = wanted(given).map(({ id }) => id)
    expect(expected.length, JSON.stringify(given)).toBeGreaterThan(0)
    expect(await allPages(given, { limit: 7 }), JSON.stringify(given)).toEqual(expected)
  }
})

test('any two things can be searched by together', async () => {
  for (const one of alone)
    for (const two of alone) {
      const given = { ...one, ...two }
      const expected = wanted(given).map(({ id }) => id)
      expect(await allPages(given, { limit: 20 }), JSON.stringify(given)).toEqual(expected)
    }
})

test('a search that runs out of time answers with what it has and goes on from there', async () => {
  const given: EventSearch = { type: 'rcs', state: 'failed', status: 404 }
  const first = await findEvents(db, own, given, { limit: 5, budgetMs: 0 })
  expect(first.next).not.toBeNull()
  expect(await allPages(given, { limit: 5, budgetMs: 0 })).toEqual(wanted(given).map(({ id }) => id))
})

test('of what a search finds, the deliveries that it asks for are told apart from the others', async () => {
  await fc.assert(
    fc.asyncProperty(search, async (given) => {
      const events = wanted(given)
      const ids = events.map(({ id }) => id)
      const expected = events.flatMap(({ id, deliveries }) =>
        deliveries
          .filter((one) => isWanted(one, given))
          .map(({ hookId }) => ({ eventId: id, hookId }))
          .toSorted((a, b) => a.hookId - b.hookId),
      )
      expect(await findDeliveries(db, own, given, ids)).toEqual(expected)
      expect(await findDeliveries(db, other, given, ids)).toEqual([])
    }),
    { numRuns: 50 },
  )
})

test('the last round of a delivery counts: what failed and was delivered since has not failed', async () => {
  const accountId = 3
  const at = new Date(now)
  const id = idAt(at)
  const failed = { state: 'failed', reason: 'status', attempts: [{ reason: 'status', status: 500 }] }
  const delivered = { state: 'delivered', reason: 'delivered', attempts: [success] }
  const waiting = { state: 'waiting', reason: null, attempts: [{ reason: 'timeout', status: null }] }
  const event = { type: 'sms_mo', messageId: '1', sender: '1', recipient: '2', foreignId: null }
  const deliveries = [
    { hookId: 1, rounds: [failed, delivered] },
    { hookId: 2, rounds: [delivered, failed, waiting] },
  ]
  await write({ accountId, id, at, ...event, deliveries })
  const found = async (given: EventSearch) => (await findEvents(db, accountId, given, { limit: 5 })).ids
  for (const given of [
    { state: 'failed' },
    { state: 'failed', hookId: 1 },
    { state: 'failed', messageId: '1' },
    { status: 500 },
    { reason: 'status' },
    { state: 'delivered', hookId: 2 },
    { state: 'delivered', status: 500 },
  ] satisfies EventSearch[])
    expect(await found(given), JSON.stringify(given)).toEqual([])
  for (const given of [
    { state: 'delivered' },
    { state: 'delivered', hookId: 1, status: 204 },
    { state: 'waiting' },
    { state: 'waiting', hookId: 2, reason: 'timeout' },
    { reason: 'timeout' },
    { hookId: 1 },
  ] satisfies EventSearch[])
    expect(await found(given), JSON.stringify(given)).toEqual([id])
})

test('rows say where each delivery stands, and another account gets none of them', async () => {
  const events = wanted({})
  const ids = events.map(({ id }) => id)
  const rows = await eventRows(db, own, ids)
  expect(rows.map(({ id, deliveries }) => ({ id, deliveries }))).toEqual(
    events.map(({ id, deliveries }) => ({
      id,
      deliveries: deliveries
        .toSorted((a, b) => a.hookId - b.hookId)
        .flatMap(({ hookId, rounds }) =>
          rounds.map(({ state, reason, attempts }, place) => ({
            hookId,
            round: place + 1,
            state,
            reason,
            attempts: reason === null ? 0 : attempts.length,
          })),
        ),
    })),
  )
  expect(await eventRows(db, other, ids)).toEqual([])
})
