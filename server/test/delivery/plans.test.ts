/**
 * The hot statements read no more than they work on, whatever the planner knows about the tables: new, filled, or emptied
 * and vacuumed, when an index that lacks its first column looks as cheap as the right one. PostgreSQL reports the plan of
 * each statement, with the rows and pages that it read.
 */
import { randomUUID } from 'node:crypto'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { prepareSession } from '../../src/db/session.ts'
import type { DB } from '../../src/db/types.ts'
import { insertEvents } from '../../src/delivery/intake/insert-events.ts'
import { claimDue } from '../../src/delivery/queue/claim.ts'
import { commitRoute } from '../../src/delivery/queue/commit-route.ts'
import { settle } from '../../src/delivery/queue/settle.ts'
import { settleDelivered } from '../../src/delivery/queue/settle-delivered.ts'
import { createInboxSource } from '../../src/delivery/sources/inbox-source.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const batch = 60
const accounts = 20
/** Pending deliveries and inbox rows of others. */
const others = 20_000

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
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

async function empty(): Promise<void> {
  for (const table of ['work', 'inbox', 'lane', 'hook_failures']) await database.query(`DELETE FROM ${table}`)
}

async function vacuum(): Promise<void> {
  await database.query('VACUUM ANALYZE')
}

/** Runs statements and returns their plans. */
async function plansOf<T>(run: () => Promise<T>): Promise<{ result: T; plans: Plan[] }> {
  plans = []
  const result = await run()
  return { result, plans }
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** The rows that a node read, including those that it removed. */
function rowsRead(node: Plan): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
}

function expectLean(statement: string, found: readonly Plan[]): void {
  expect(found.length).toBeGreaterThan(0)
  for (const plan of found) {
    const wasteful = nodesOf(plan)
      .filter((node) => rowsRead(node) > 4 * batch)
      .map((node) => `${node['Relation Name']} by ${node['Index Name']}: ${rowsRead(node)} rows`)
    expect({ statement, wasteful }).toEqual({ statement, wasteful: [] })
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    expect(pages / batch, `pages of ${statement}`).toBeLessThan(15)
  }
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
  producerId: 1,
}))

const delivered = { reason: 'delivered', status: 204, timings: { totalMs: 5 } } as const
const failed = { reason: 'status', status: 500, timings: { totalMs: 5 } } as const

describe.each([
  ['new', async () => {}],
  ['full', fill],
  ['emptied and vacuumed', empty],
])('with tables that are %s', (_, prepare) => {
  test('no hot statement reads more than it works on', async () => {
    await prepare()
    await vacuum()
    const events = incoming.map((event) => ({ ...event, key: event.key === null ? null : randomUUID() }))
    const accepted = await plansOf(() => insertEvents(db, events))
    expectLean('accept', accepted.plans)

    const pulled = await plansOf(() => createInboxSource(db).pull(batch, new AbortController().signal))
    expect(pulled.result).toHaveLength(batch)
    expectLean('pull', pulled.plans)

    const lease = { id: randomUUID(), seconds: 30 }
    const [versions] = await database.query<{ hooks: string; stops: string }>(
      `SELECT hooks_version AS hooks, (SELECT version FROM stops_version) AS stops FROM accounts WHERE id = 1`,
    )
    const routed = await plansOf(() =>
      commitRoute(
        db,
        pulled.result.map(({ event }, index) => ({
          event,
          version: versions?.hooks ?? '',
          stopsVersion: versions?.stops ?? '',
          matches: [
            {
              hookId: event.accountId,
              host: '127.0.0.1',
              disposition: index % 4 === 3 ? 'due' : 'leased',
              isStartingSlowly: false,
            },
          ],
        })),
        lease,
      ),
    )
    expect(routed.result.every(({ state }) => state === 'routed')).toBe(true)
    expectLean('route', routed.plans)

    const claimed = await plansOf(() => claimDue(db, batch, lease, { hooks: [], accounts: [], hosts: [] }))
    expect(claimed.result.deliveries).toHaveLength(batch / 4)
    expectLean('claim', claimed.plans)

    const settlements = pulled.result.map(({ event }) => ({
      accountId: event.accountId,
      hookId: event.accountId,
      eventId: event.id,
      round: 1,
      lease: lease.id,
      attempts: 1,
      faults: 0,
      host: '127.0.0.1',
    }))
    const successes = await plansOf(() =>
      settleDelivered(
        db,
        'test',
        settlements.slice(0, batch / 2).map((item) => ({
          ...item,
          next: { state: 'delivered', reason: 'delivered' },
          attempt: { number: 1, startedAt: new Date(), outcome: delivered },
        })),
      ),
    )
    expect(successes.result.every(({ isSettled }) => isSettled)).toBe(true)
    expectLean('settle successes', successes.plans)

    const failures = await plansOf(() =>
      settle(
        db,
        'test',
        settlements.slice(batch / 2).map((item, index) => ({
          ...item,
          next:
            index % 2 === 0
              ? { state: 'failed', reason: 'status' }
              : { state: 'waiting', delayMs: 3_600_000, isRetryAfter: false },
          attempt: { number: 1, startedAt: new Date(), outcome: failed },
        })),
      ),
    )
    expect(failures.result.every(({ isSettled }) => isSettled)).toBe(true)
    expectLean('settle failures', failures.plans)
  })
})
