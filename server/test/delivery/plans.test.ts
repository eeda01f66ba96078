/**
 * The cost of a delivery in PostgreSQL, in units that do not depend on the machine. The hot statements read no more than
 * they work on, whatever the planner knows about the tables: new, filled, or emptied and vacuumed, when an index that lacks
 * its first column looks as cheap as the right one. And they write a known number of WAL records: one for each row and index
 * entry. PostgreSQL reports the plan of each statement with these figures.
 */
import { randomUUID } from 'node:crypto'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { prepareSession } from '../../src/db/session.ts'
import type { DB } from '../../src/db/types.ts'
import { takeIdEndings } from '../../src/model/event-id.ts'
import { type IncomingEvent, insertEvents } from '../../src/delivery/queue/insert-events.ts'
import { claimDue } from '../../src/delivery/queue/claim.ts'
import { commitRoute } from '../../src/delivery/queue/commit-route.ts'
import { settle } from '../../src/delivery/queue/settle.ts'
import { settleDelivered } from '../../src/delivery/queue/settle-delivered.ts'
import { findHandOffs } from '../../src/delivery/queue/hand-offs.ts'
import { createInbox } from '../../src/delivery/queue/inbox.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { addCounts } from '../../src/stats/add-counts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const batch = 60
const accounts = 20
/** Pending deliveries and inbox rows of others. */
const others = 20_000

/**
 * Per event. Measured are up to 36, and parts inside of parts count twice. An index of the pending deliveries alone has
 * more than that when the tables are full, so a plan that reads it for each event exceeds this.
 */
const maxPages = 50

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'WAL Records': number
  Plans?: Plan[]
}

let database: TestDatabase
let pool: Pool
let db: Database
/** Plans of the statements since the last `plansOf`. */
let plans: Plan[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const settings = {
    log_min_duration: 0,
    log_level: 'notice',
    log_analyze: 'on',
    log_buffers: 'on',
    log_wal: 'on',
    log_format: 'json',
  }
  pool = new Pool({
    connectionString: database.url.href,
    max: 1,
    options: [
      '-c session_preload_libraries=auto_explain',
      ...Object.entries(settings).map(([name, value]) => `-c auto_explain.${name}=${value}`),
    ].join(' '),
    // The pool awaits this, although its type definitions say otherwise.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => prepareSession(client, true),
  })
  pool.on('connect', (client) =>
    client.on('notice', ({ message }) => {
      const json = message?.slice(message.indexOf('{'))
      if (json !== undefined) plans.push(JSON.parse(json).Plan)
    }),
  )
  db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  await createPartitions(db, Date.now())
  const indexes = await database.query<{ name: string; column: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid, 1, true) AS column FROM pg_index`,
  )
  firstColumns = new Map(indexes.map(({ name, column }) => [name, column]))
  await database.query(
    `INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(1, $1::integer) AS n`,
    [accounts],
  )
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Pending deliveries of other webhooks, and events that were not routed. */
async function fill(): Promise<void> {
  await database.query(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT 1 + n % $2::integer, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $1::integer) AS n
       RETURNING account_id, id
     ), waiting AS (
       INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
       SELECT account_id, 1000000 + account_id, id, 'sms_mo', now(), now() + interval '1 hour' FROM created
     )
     INSERT INTO inbox (event_id, account_id, apart) SELECT id, account_id, true FROM created`,
    [others, accounts],
  )
  await database.query(
    `INSERT INTO lane (account_id, hook_id, due_at) SELECT 1, 1000000 + n, now() + interval '1 hour'
     FROM generate_series(1, $1::integer) AS n`,
    [others],
  )
}

const queueTables = ['work', 'inbox', 'lane', 'hook_failures']

async function empty(): Promise<void> {
  for (const table of queueTables) await database.query(`DELETE FROM ${table}`)
}

/** The planner then takes the tables for empty, whatever the size of their indexes. */
async function analyzeEmpty(): Promise<void> {
  await empty()
  for (const table of queueTables) await database.query(`ANALYZE ${table}`)
}

async function vacuum(): Promise<void> {
  await database.query('VACUUM ANALYZE')
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** The rows that a node read, including those that it removed. */
function rowsRead(node: Plan): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
}

/** The first column of each index, by the name of the index. */
let firstColumns: ReadonlyMap<string, string>

/** Scans that may read a whole index: without a condition on its first column, and without a limit above. */
function wholeScans(plan: Plan, isLimited = false): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition } = plan
  const limitsParts = type === 'Limit' || (isLimited && type === 'LockRows')
  const found = (plan.Plans ?? []).flatMap((part) => wholeScans(part, limitsParts))
  if (index === undefined || (condition === undefined && isLimited)) return found
  const column = firstColumns.get(index) ?? ''
  return condition?.includes(column) ? found : [`${index} by ${condition ?? 'nothing'}`, ...found]
}

const incoming = Array.from({ length: batch }, (_, index) => ({
  accountId: 1 + (index % accounts),
  type: 'sms_mo',
  data: '{"id":"1","text":"hello"}',
  occurredAt: null,
  key: index % 3 === 0 ? `key ${index}` : null,
  digest: index % 3 === 0 ? 'ab'.repeat(32) : null,
  messageId: '1',
  sender: '491',
  recipient: '492',
  foreignId: null,
  producerId: 0,
}))

const delivered = { reason: 'delivered', status: 204, timings: { totalMs: 5 } } as const
const failed = { reason: 'status', status: 500, timings: { totalMs: 5 } } as const

/** Takes the plans of the statements that ran since the last call. */
function takePlans(statement: string): Measured {
  const taken = { statement, plans }
  plans = []
  return taken
}

interface Measured {
  statement: string
  plans: Plan[]
}

function newEvents(): IncomingEvent[] {
  const idEndings = takeIdEndings(batch)
  return incoming.map((event, index) => ({
    ...event,
    key: event.key === null ? null : randomUUID(),
    idEnding: idEndings[index] ?? '',
  }))
}

/** Accepts a batch whose deliveries are leased at once, and settles it: two statements. */
async function deliverLeased(): Promise<Measured[]> {
  const [versions] = await database.query<{ hooks: string; stops: string }>(
    `SELECT hooks_version AS hooks, (SELECT version FROM stops_version) AS stops FROM accounts WHERE id = 1`,
  )
  const lease = { id: randomUUID(), seconds: 30 }
  const match = (accountId: number) => ({ version: versions?.hooks ?? '', hookIds: [accountId] })
  plans = []

  const accepted = await insertEvents(
    db,
    newEvents().map((event) => ({ ...event, match: match(event.accountId) })),
    { lease, stopsVersion: versions?.stops ?? '' },
  )
  expect(accepted.filter((result) => 'isLeased' in result && result.isLeased)).toHaveLength(batch)
  const accept = takePlans('accept and lease')

  const settled = await settleDelivered(
    db,
    'test',
    accepted.map((result, index) => ({
      ...settlementOf(1 + (index % accounts), 'id' in result ? result.id : '', lease.id),
      next: { state: 'delivered', reason: 'delivered' },
      attempt: { number: 1, startedAt: new Date(), outcome: delivered },
    })),
  )
  expect(settled.filter(({ isSettled }) => isSettled)).toHaveLength(batch)
  const settling = takePlans('settle leased')

  await findHandOffs(db, randomUUID(), 1_500)
  const find = takePlans('find lost hand-offs')
  await addCounts(db)
  return [accept, settling, find]
}

function settlementOf(accountId: number, eventId: string, lease: string) {
  const base = { round: 1, attempts: 1, faults: 0, host: '127.0.0.1' }
  return { accountId, hookId: accountId, eventId, lease, ...base }
}

/** Accepts, routes and settles a batch. Some of it has no slot when it is routed, and some of it fails. */
async function deliverBatch({ due, failing }: { due: number; failing: number }): Promise<Measured[]> {
  const [versions] = await database.query<{ hooks: string; stops: string }>(
    `SELECT hooks_version AS hooks, (SELECT version FROM stops_version) AS stops FROM accounts WHERE id = 1`,
  )
  const lease = { id: randomUUID(), seconds: 30 }
  plans = []

  await insertEvents(db, newEvents())
  const accept = takePlans('accept')

  const pulled = await createInbox(db).pull(batch)
  expect(pulled).toHaveLength(batch)
  const pull = takePlans('pull')

  const routed = await commitRoute(
    db,
    pulled.map(({ event }, index) => ({
      event,
      version: versions?.hooks ?? '',
      stopsVersion: versions?.stops ?? '',
      matches: [
        {
          hookId: event.accountId,
          host: '127.0.0.1',
          disposition: index < due ? 'due' : 'leased',
          isStartingSlowly: false,
        },
      ],
    })),
    lease,
  )
  expect(routed.filter(({ state }) => state === 'routed')).toHaveLength(batch)
  const route = takePlans('route')

  const claimed = await claimDue(db, batch, lease, { hooks: [], accounts: [], hosts: [] })
  expect(claimed.deliveries).toHaveLength(due)
  const claim = takePlans('claim')

  const settlements = pulled.map(({ event }) => settlementOf(event.accountId, event.id, lease.id))
  const successes = await settleDelivered(
    db,
    'test',
    settlements.slice(failing).map((item) => ({
      ...item,
      next: { state: 'delivered', reason: 'delivered' },
      attempt: { number: 1, startedAt: new Date(), outcome: delivered },
    })),
  )
  expect(successes.filter(({ isSettled }) => isSettled)).toHaveLength(batch - failing)
  const settleSuccesses = takePlans('settle successes')
  await addCounts(db)
  const measured = [accept, pull, route, claim, settleSuccesses, takePlans('add counts')]
  if (failing === 0) return measured

  const failures = await settle(
    db,
    'test',
    settlements.slice(0, failing).map((item, index) => ({
      ...item,
      next:
        index % 2 === 0
          ? { state: 'failed', reason: 'status' }
          : { state: 'waiting', delayMs: 3_600_000, isRetryAfter: false },
      attempt: { number: 1, startedAt: new Date(), outcome: failed },
    })),
  )
  expect(failures.filter(({ isSettled }) => isSettled)).toHaveLength(failing)
  return [...measured, takePlans('settle failures')]
}

test.each([
  ['new', async () => {}],
  ['small, emptied and analyzed', analyzeEmpty],
  ['full', fill],
  ['emptied and vacuumed', empty],
  ['large, emptied and analyzed', analyzeEmpty],
])('with tables that are %s, no hot statement reads more than it works on', async (name, prepare) => {
  await prepare()
  if (!name.endsWith('analyzed')) await vacuum()
  const measured = [
    ...(await deliverLeased()),
    ...(await deliverBatch({ due: batch / 4, failing: batch / 2 })),
  ]
  for (const { statement, plans: found } of measured) {
    expect(found.length, statement).toBeGreaterThan(0)
    for (const plan of found) {
      const wasteful = nodesOf(plan)
        .filter((node) => rowsRead(node) > 4 * batch)
        .map((node) => `${node['Relation Name']} by ${node['Index Name']}: ${rowsRead(node)} rows`)
      expect({ statement, wasteful }).toEqual({ statement, wasteful: [] })
      expect({ statement, whole: wholeScans(plan) }).toEqual({ statement, whole: [] })
      const pages = sum(
        [plan, ...writesOf(plan)],
        (node) => node['Shared Hit Blocks'] + node['Shared Read Blocks'],
      )
      expect(pages / batch, `pages of ${statement}`).toBeLessThan(maxPages)
    }
  }
})

test('counts are added in batches, and each reads its own rows only', async () => {
  await addCounts(db)
  await database.query(
    `INSERT INTO rollup_deltas (hour, account_ids, hook_ids, counts)
     SELECT date_trunc('hour', now()), ARRAY[1, 2], ARRAY[1, 2], ARRAY[1, 1] FROM generate_series(1, 2000)`,
  )
  plans = []
  await addCounts(db)
  const { plans: found } = takePlans('add counts')
  const read = found.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'rollup_deltas')
  expect(
    sum(
      read.filter((node) => node['Node Type'] === 'ModifyTable'),
      rowsRead,
    ),
  ).toBe(2_000)
  expect(Math.max(...read.map(rowsRead))).toBe(500)
  expect(await database.query('SELECT FROM rollup_deltas')).toEqual([])
})

/** The figures of a statement do not include those of its data-modifying parts, which end after it. */
function writesOf(plan: Plan): Plan[] {
  return nodesOf(plan).filter((node) => node['Node Type'] === 'ModifyTable')
}

/** WAL records per event of a batch that is delivered at the first attempt, by statement. */
async function countWalRecords(): Promise<Record<string, number>> {
  await empty()
  await vacuum()
  const measured = [...(await deliverLeased()), ...(await deliverBatch({ due: 0, failing: 0 }))]
  return Object.fromEntries(
    measured.map(({ statement, plans: found }) => [
      statement,
      sum(found.flatMap(writesOf), (node) => node['WAL Records']) / batch,
    ]),
  )
}

/** A part of a statement that runs inside another part is counted twice. So compare the figures only with themselves. */
const maxWalRecords = {
  'accept and lease': 13.2,
  'settle leased': 11.5,
  accept: 13,
  pull: 2.2,
  route: 5.5,
  claim: 0,
  'settle successes': 11.5,
  // Counts of two commits are added here. The more commits per second, the less it is per event.
  'add counts': 1.6,
}

function findIncreases(counted: Record<string, number>): string[] {
  return Object.entries(maxWalRecords)
    .filter(([statement, max]) => (counted[statement] ?? Infinity) > max)
    .map(([statement]) => statement)
}

test('a delivery writes no more WAL records than before, and an index more is noticed', async () => {
  expect(findIncreases(await countWalRecords())).toEqual([])
  await database.query('CREATE INDEX deliveries_planted ON deliveries (attempts)')
  expect(findIncreases(await countWalRecords())).toEqual(['settle leased', 'settle successes'])
})

test('an event that is leased at accept takes two statements in all, however many are in the batch', async () => {
  const [accept, settling] = await deliverLeased()
  expect([accept?.plans.length, settling?.plans.length]).toEqual([1, 1])
})
