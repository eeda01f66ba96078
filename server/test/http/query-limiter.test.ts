/** Expensive queries of one account do not exhaust the database connections of other accounts. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call, type CallResponse } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let busy: TestAccount
let other: TestAccount
beforeAll(async () => {
  hookline = await startTestService({ DATABASE_POOL: '6' }, 'api')
  busy = await hookline.account()
  other = await hookline.account()
})
afterAll(() => hookline.close())

const startSearches = (key: string): Array<Promise<CallResponse>> => [
  ...Array.from({ length: 6 }, () => call(`${hookline.url}/api/events`, { key })),
  ...Array.from({ length: 2 }, () =>
    call(`${hookline.url}/api/replays/count`, {
      method: 'POST',
      key,
      json: { selection: { search: { state: 'failed' } } },
    }),
  ),
  call(`${hookline.url}/api/overview`, { key }),
  call(`${hookline.url}/api/hooks/backtest-filter`, { method: 'POST', key, json: { event_type: 'sms_mo' } }),
]

/** Blocks all reads of the ledger during the task. */
function whileLedgerIsLocked(task: () => Promise<void>): Promise<void> {
  return whileLocked('LOCK TABLE events, deliveries, attempts, rollups IN ACCESS EXCLUSIVE MODE', task)
}

async function countBlockedConnections(): Promise<number> {
  const rows = await hookline.database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

test('an account runs two searches concurrently, and all other calls respond meanwhile', async () => {
  let calls: Array<Promise<CallResponse>> = []
  await whileLedgerIsLocked(async () => {
    calls = startSearches(busy.key)
    await vi.waitFor(async () => expect(await countBlockedConnections()).toBe(2))
    for (const { key } of [other, busy])
      expect(await call(`${hookline.url}/api/hooks`, { key })).toMatchObject({ status: 200 })
    expect(await countBlockedConnections()).toBe(2)
    const otherCalls = startSearches(other.key)
    calls.push(...otherCalls)
    // Half of the six connections are for searches, and the other account gets the third.
    await vi.waitFor(async () => expect(await countBlockedConnections()).toBe(3))
    expect(await call(`${hookline.url}/api/hooks`, { key: other.key })).toMatchObject({ status: 200 })
    expect(await countBlockedConnections()).toBe(3)
  })
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('a search that waits too long gets 429 with Retry-After', async () => {
  let rejected: CallResponse[] = []
  await whileLedgerIsLocked(async () => {
    rejected = (await Promise.all(startSearches(busy.key))).filter(({ status }) => status === 429)
  })
  expect(rejected.length).toBe(8)
  for (const { json, headers } of rejected) {
    expect(json).toMatchObject({ success: false, code: 1207 })
    expect(headers.get('retry-after')).toBe('1')
  }
  const after = await call(`${hookline.url}/api/events`, { key: busy.key })
  expect(after.status).toBe(200)
})

/** Holds a lock during the task. */
async function whileLocked(lock: string, task: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  try {
    await client.query(`BEGIN; ${lock}`)
    await task()
  } finally {
    await client.end()
  }
}

test.each([
  [
    'the call count',
    (): string => `SELECT FROM call_counts WHERE account_id = ${busy.accountId} FOR UPDATE`,
    1,
  ],
  ['a table', (): string => 'LOCK TABLE hooks IN ACCESS EXCLUSIVE MODE', 3],
] as const)(
  'calls of one account that wait for %s leave connections for other accounts',
  async (_name, lock, maxConnections) => {
    await call(`${hookline.url}/api/hooks`, { key: busy.key })
    let calls: Array<Promise<CallResponse>> = []
    await whileLocked(lock(), async () => {
      calls = Array.from({ length: 20 }, () => call(`${hookline.url}/api/hooks`, { key: busy.key }))
      await vi.waitFor(async () => expect(await countBlockedConnections()).toBe(maxConnections))
      expect(await call(`${hookline.url}/api/replays`, { key: other.key })).toMatchObject({ status: 200 })
      expect(await countBlockedConnections()).toBe(maxConnections)
    })
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([])
  },
)
