/** Tests searches of a random ledger of several days. Every search is compared with a full scan. */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { eventRows } from '../../src/events/event-rows.ts'
import { exportEvents } from '../../src/events/export-events.ts'
import { type EventSearch, findDeliveries, searchEvents } from '../../src/events/search-events.ts'
import { presentEvent } from '../../src/http/routes/events/present.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

vi.setConfig({ testTimeout: 120_000 })

const dayMs = 24 * 60 * 60 * 1_000
const days = 5
const account = 1
const otherAccount = 2

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

/** A delivery to one hook: the original round and its replays. */
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
  for (let day = 0; day < days; day++) await createPartitions(db, Date.now() - day * dayMs)
  ledger = fc.sample(entry, { numRuns: 600, seed: 77 })
  for (const input of ledger) await write(input)
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
const finalStates = ['delivered', 'delivered', 'failed', 'expired', 'cancelled']
const createRound = (...states: string[]): fc.Arbitrary<Round> =>
  fc
    .record({ state: fc.constantFrom(...states), failures: fc.array(attempt, { maxLength: 3 }) })
    .map(({ state, failures }) => ({
      state,
      attempts: state === 'delivered' ? [...failures, success] : failures,
      reason: finalReason(state, failures),
    }))
const delivery: fc.Arbitrary<Delivery> = fc
  .record({
    hookId: fc.integer({ min: 1, max: 4 }),
    // One in three was replayed, once or twice.
    before: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(createRound(...finalStates), { minLength: 1, maxLength: 2 }) },
    ),
    last: createRound(...finalStates, 'waiting', 'held'),
  })
  .map(({ hookId, before, last }) => ({ hookId, rounds: [...before, last] }))

/** Hooks are distinct, with one delivery each. */
const entry: fc.Arbitrary<Entry> = fc
  .record({
    accountId: fc.constantFrom(account, account, account, otherAccount),
    age: fc.integer({ min: 0, max: (days - 1) * dayMs }),
    type: fc.constantFrom('sms_mo', 'sms_mo', 'dlr', 'rcs'),
    messageId: fc.integer({ min: 1, max: 80 }).map(String),
    sender: fc.constantFrom('491701', '491702', '491703', '99491701', 'Bank'),
    recipient: fc.constantFrom('4930', '491701', '3'),
    foreignId: fc.constantFrom(null, 'campaign', 'order 7'),
    deliveries: fc.uniqueArray(delivery, { maxLength: 3, selector: ({ hookId }) => hookId }),
  })
  .map(({ age, ...rest }) => {
    const at = new Date(Math.floor(now - age))
    return { ...rest, at, id: idAt(at) }
  })
const now = Date.now() - 5_000

function finalReason(state: string, failures: ReadonlyArray<{ reason: string }>): string | null {
  if (state === 'waiting' || state === 'held') return null
  if (state === 'cancelled') return 'hook_deleted'
  return state === 'delivered' ? 'delivered' : (failures.at(-1)?.reason ?? 'retention')
}

function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
}

async function write({ deliveries, ...event }: Entry): Promise<void> {
  const { query } = database
  await query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at, message_id, sender, recipient, foreign_id)
     VALUES ($1, $2, $3, '{}', 1, $4, $5, $6, $7, $8)`,
    [
      event.accountId,
      event.id,
      event.type,
      event.at,
      event.messageId,
      event.sender,
      event.recipient,
      event.foreignId,
    ],
  )
  for (const { hookId, rounds } of deliveries)
    for (const [index, { state, reason, attempts }] of rounds.entries()) {
      const key = [event.accountId, event.id, hookId, index + 1]
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
      for (const [count, attemptRow] of attempts.entries())
        await query(
          `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, total_ms, worker)
           VALUES ($1, $2, $3, $4, $5, now(), $6, $7, 5, 'test')`,
          [...key, count + 1, attemptRow.reason, attemptRow.status],
        )
    }
}

const someTime = fc.integer({ min: 0, max: (days - 1) * dayMs }).map((age) => new Date(now - age))
/** Most searches have two or three fields. */
const optional = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const search: fc.Arbitrary<EventSearch> = fc.record({
  text: optional(fc.constantFrom('3', '7', '491701', '+49 1701', 'campaign', 'order 7', 'nothing')),
  messageId: optional(fc.integer({ min: 1, max: 80 }).map(String)),
  number: optional(fc.constantFrom('491701', '0049 1702', '+491703', 'Bank', '4930', '3')),
  foreignId: optional(fc.constantFrom('campaign', 'order 7')),
  type: optional(fc.constantFrom('sms_mo', 'dlr', 'rcs')),
  hookId: optional(fc.integer({ min: 1, max: 5 })),
  state: optional(fc.constantFrom('delivered', 'failed', 'expired', 'cancelled', 'waiting', 'held')),
  status: optional(fc.constantFrom(500, 404, 302, 204)),
  reason: optional(fc.constantFrom('status', 'timeout', 'hook_deleted', 'retention', 'delivered')),
  from: optional(someTime),
  to: optional(someTime),
})

const numbers: Record<string, string> = { '+49 1701': '491701', '0049 1702': '491702', '+491703': '491703' }

/** Finds the expected entries by a full scan. */
function expectedEntries(input: EventSearch): Entry[] {
  return ledger
    .filter((item) => item.accountId === account && matchesSearch(item, input))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

function matchesSearch(item: Entry, input: EventSearch): boolean {
  const isNumber = (text: string): boolean =>
    [item.sender, item.recipient].some(
      (number) => number === (numbers[text] ?? text) || (/^\d{6,}$/.test(text) && number.endsWith(text)),
    )
  const { text } = input
  const isText =
    text === undefined ||
    item.messageId === text ||
    item.foreignId === text ||
    isNumber(text) ||
    item.deliveries.some(({ hookId }) => String(hookId) === text)
  const hasDeliveryField = [input.hookId, input.state, input.status, input.reason].some(
    (value) => value !== undefined,
  )
  return (
    isText &&
    (input.messageId === undefined || item.messageId === input.messageId) &&
    (input.number === undefined || isNumber(input.number)) &&
    (input.foreignId === undefined || item.foreignId === input.foreignId) &&
    (input.type === undefined || item.type === input.type) &&
    (input.from === undefined || item.at >= input.from) &&
    (input.to === undefined || item.at < input.to) &&
    (!hasDeliveryField || item.deliveries.some((delivered) => matchesDelivery(delivered, input)))
  )
}

/** Considers only the last round. */
function matchesDelivery(item: Delivery, { hookId, state, status, reason }: EventSearch): boolean {
  const last = item.rounds.at(-1)
  if (last === undefined) throw new Error('a delivery has a round')
  const hasAttempt = last.attempts.some(
    (attemptRow) =>
      (status ?? attemptRow.status) === attemptRow.status &&
      (reason ?? attemptRow.reason) === attemptRow.reason,
  )
  return (
    (hookId === undefined || item.hookId === hookId) &&
    (state === undefined || last.state === state) &&
    ((status === undefined && reason === undefined) ||
      hasAttempt ||
      (status === undefined && last.reason === reason))
  )
}

async function allPages(input: EventSearch, page: { limit: number; budgetMs?: number }): Promise<string[]> {
  const ids: string[] = []
  let before: string | undefined
  for (;;) {
    const found = await searchEvents(db, account, input, { ...page, before })
    expect(found.ids.length).toBeLessThanOrEqual(page.limit)
    ids.push(...found.ids)
    if (found.next === null) return ids
    before = found.next
  }
}

test('every search equals a full scan, newest first, and finds nothing of another account', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(search, fc.integer({ min: 5, max: 60 }), async (input, limit) => {
      const expected = expectedEntries(input).map(({ id }) => id)
      expect(await allPages(input, { limit })).toEqual(expected)
      found += expected.length
    }),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(500)
})

const singleFields: EventSearch[] = [
  {},
  { text: '491701' },
  { text: '3' },
  { messageId: '7' },
  { number: '+491703' },
  { number: '491701' },
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

test('each field can be searched alone', async () => {
  for (const input of singleFields) {
    const expected = expectedEntries(input).map(({ id }) => id)
    expect(expected.length, JSON.stringify(input)).toBeGreaterThan(0)
    expect(await allPages(input, { limit: 7 }), JSON.stringify(input)).toEqual(expected)
  }
})

test('any two fields can be combined', async () => {
  for (const first of singleFields)
    for (const second of singleFields) {
      const input = { ...first, ...second }
      const expected = expectedEntries(input).map(({ id }) => id)
      expect(await allPages(input, { limit: 20 }), JSON.stringify(input)).toEqual(expected)
    }
})

test.each([
  ['491709000012', '000012', 'zeros first'],
  ['491700999998', '999998', 'nines first'],
  ['555777', '555777', 'the whole number'],
])('%s is found by %s: %s', async (number, ending) => {
  const fourthAccount = 4
  const at = new Date(now)
  const event = {
    accountId: fourthAccount,
    at,
    type: 'sms_mo',
    recipient: '4989',
    foreignId: null,
    deliveries: [],
  }
  const id = idAt(at)
  await write({ ...event, id, messageId: '1', sender: number })
  // Neighbors in the index.
  for (const sender of [`${number}0`, `${number}9`, number.slice(0, -1), `1${ending.slice(1)}`])
    await write({ ...event, id: idAt(at), messageId: '2', sender })
  const { ids } = await searchEvents(db, fourthAccount, { number: ending }, { limit: 50, budgetMs: 10_000 })
  expect(ids).toEqual([id])
})

test('numbers are found in national form and by their last digits, however many share them', async () => {
  const thirdAccount = 3
  const written = Array.from({ length: 150 }, (_, count) => ({
    accountId: thirdAccount,
    id: idAt(new Date(now - count * 60_000)),
    at: new Date(now - count * 60_000),
    type: 'sms_mo',
    messageId: String(count),
    sender: `${49_000 + count}1234567`,
    recipient: '49891112223',
    foreignId: null,
    deliveries: [],
  }))
  for (const event of written) await write(event)
  const find = async (input: EventSearch): Promise<string[]> =>
    (await searchEvents(db, thirdAccount, input, { limit: 200, budgetMs: 10_000 })).ids
  const all = written.map(({ id }) => id)
  // More numbers than are looked up one by one.
  expect(await find({ number: '234567' })).toEqual(all)
  expect(await find({ text: '234567' })).toEqual(all)
  expect(await find({ text: '234567', messageId: '7' })).toEqual(all.slice(7, 8))
  expect(await find({ number: '491491234567' })).toEqual(all.slice(149))
  expect(await find({ number: '0089 1112223', country: 'DE' })).toEqual([])
  expect(await find({ number: '089/111 2223', country: 'DE' })).toEqual(all)
  expect(await find({ number: '089/111 2223', country: 'AT' })).toEqual([])
  expect(await find({ number: '089/111 2223' })).toEqual(all)
  expect(await find({ number: '12223' })).toEqual([])
})

test('an export that is cut off says so and continues from its cursor', async () => {
  const input: EventSearch = { type: 'sms_mo' }
  const lines: string[] = []
  let before: string | undefined
  for (let part = 0; part < 10; part++) {
    let time = 0
    const file = exportEvents({
      db,
      accountId: account,
      search: input,
      eventId: undefined,
      before,
      format: 'jsonl',
      present: (row) => presentEvent(row),
      writeCursor: (position) => position,
      limit: (read) => read(),
      isStillAllowed: async () => true,
      // Every look at the clock takes longer than an export may.
      monotonic: () => (time += 100_000),
      pageSize: 40,
    })
    for await (const chunk of file) lines.push(...chunk.trimEnd().split('\n'))
    const end = JSON.parse(lines.at(-1) ?? '{}')
    if (end.truncated !== true) break
    expect(end).toEqual({ truncated: true, events: expect.any(Number), next: expect.any(String) })
    before = end.next
    lines.pop()
  }
  expect(before).toBeDefined()
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(expectedEntries(input).map(({ id }) => id))
})

test('a CSV export names webhooks and states as the dashboard does', async () => {
  await database.query(`INSERT INTO accounts (id, name) OVERRIDING SYSTEM VALUE VALUES ($1, 'Acme')`, [
    account,
  ])
  await database.query(
    `INSERT INTO hooks (id, account_id, target_url, call_url, event_type, request_method, fingerprint, name)
     OVERRIDING SYSTEM VALUE VALUES
       (1, $1, 'https://example.com/a', 'https://example.com/a', 'all', 'JSON', '1', 'Orders'),
       (2, $1, 'https://example.com/b', 'https://example.com/b', 'all', 'JSON', '2', NULL)`,
    [account],
  )
  let text = ''
  for await (const chunk of exportEvents({
    db,
    accountId: account,
    search: {},
    eventId: undefined,
    before: undefined,
    format: 'csv',
    present: (row) => presentEvent(row),
    writeCursor: (position) => position,
    limit: (read) => read(),
    isStillAllowed: async () => true,
    monotonic: () => 0,
  }))
    text += chunk
  expect(text).toMatch(/,"Orders: pending, attempts 0/)
  expect(text).toMatch(/example\.com\/b: canceled, attempts \d/)
  expect(text).toMatch(/webhook 3: held, attempts 0/)
  expect(text).not.toMatch(/waiting|cancelled|webhook [12]:/)
})

test('a search that exceeds its time budget returns partial results and continues from there', async () => {
  const input: EventSearch = { type: 'rcs', state: 'failed', status: 404 }
  const first = await searchEvents(db, account, input, { limit: 5, budgetMs: 0 })
  expect(first.next).not.toBeNull()
  expect(await allPages(input, { limit: 5, budgetMs: 0 })).toEqual(expectedEntries(input).map(({ id }) => id))
})

test('the deliveries that match a search are separated from others of the same events', async () => {
  await fc.assert(
    fc.asyncProperty(search, async (input) => {
      const events = expectedEntries(input)
      const ids = events.map(({ id }) => id)
      const expected = events.flatMap(({ id, deliveries }) =>
        deliveries
          .filter((item) => matchesDelivery(item, input))
          .map(({ hookId }) => ({ eventId: id, hookId }))
          .toSorted((a, b) => a.hookId - b.hookId),
      )
      expect(await findDeliveries(db, account, input, ids)).toEqual(expected)
      expect(await findDeliveries(db, otherAccount, input, ids)).toEqual([])
    }),
    { numRuns: 50 },
  )
})

test('only the last round of a delivery counts: a failed delivery that was replayed successfully is not failed', async () => {
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
  const found = async (input: EventSearch) => (await searchEvents(db, accountId, input, { limit: 5 })).ids
  for (const input of [
    { state: 'failed' },
    { state: 'failed', hookId: 1 },
    { state: 'failed', messageId: '1' },
    { status: 500 },
    { reason: 'status' },
    { state: 'delivered', hookId: 2 },
    { state: 'delivered', status: 500 },
  ] satisfies EventSearch[])
    expect(await found(input), JSON.stringify(input)).toEqual([])
  for (const input of [
    { state: 'delivered' },
    { state: 'delivered', hookId: 1, status: 204 },
    { state: 'waiting' },
    { state: 'waiting', hookId: 2, reason: 'timeout' },
    { reason: 'timeout' },
    { hookId: 1 },
  ] satisfies EventSearch[])
    expect(await found(input), JSON.stringify(input)).toEqual([id])
})

test('rows contain the state of each delivery, and another account gets none of them', async () => {
  const events = expectedEntries({})
  const ids = events.map(({ id }) => id)
  const rows = await eventRows(db, account, ids)
  expect(rows.map(({ id, deliveries }) => ({ id, deliveries }))).toEqual(
    events.map(({ id, deliveries }) => ({
      id,
      deliveries: deliveries
        .toSorted((a, b) => a.hookId - b.hookId)
        .flatMap(({ hookId, rounds }) =>
          rounds.map(({ state, reason, attempts }, index) => ({
            hookId,
            round: index + 1,
            state,
            reason: reason ?? attempts.at(-1)?.reason ?? null,
            attempts: reason === null ? 0 : attempts.length,
          })),
        ),
    })),
  )
  expect(await eventRows(db, otherAccount, ids)).toEqual([])
})
