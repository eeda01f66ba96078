/** Searches keep connections to the database busy; however many an account asks for, the others get theirs. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call, type CallAnswer } from './call.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let greedy: TestAccount
let other: TestAccount
beforeAll(async () => {
  world = await startWorld({ DATABASE_POOL: '6' }, 'api')
  greedy = await world.account()
  other = await world.account()
})
afterAll(() => world.close())

const heavy = (key: string): Array<Promise<CallAnswer>> => [
  ...Array.from({ length: 6 }, () => call(`${world.url}/api/events`, { key })),
  ...Array.from({ length: 2 }, () =>
    call(`${world.url}/api/replays/count`, {
      method: 'POST',
      key,
      json: { selection: { search: { state: 'failed' } } },
    }),
  ),
  call(`${world.url}/api/overview`, { key }),
  call(`${world.url}/api/hooks/try-filter`, { method: 'POST', key, json: { event_type: 'sms_mo' } }),
]

/** Nothing of the ledger can be read meanwhile. */
function whileLedgerIsLocked(during: () => Promise<void>): Promise<void> {
  return whileLocked('LOCK TABLE events, deliveries, attempts, rollups IN ACCESS EXCLUSIVE MODE', during)
}

async function connectionsThatWait(): Promise<number> {
  const rows = await world.database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

test('two of an account are under way at once, and everything else is answered meanwhile', async () => {
  let asked: Array<Promise<CallAnswer>> = []
  await whileLedgerIsLocked(async () => {
    asked = heavy(greedy.key)
    await vi.waitFor(async () => expect(await connectionsThatWait()).toBe(2))
    for (const { key } of [other, greedy])
      expect(await call(`${world.url}/api/hooks`, { key })).toMatchObject({ status: 200 })
    expect(await connectionsThatWait()).toBe(2)
    const others = heavy(other.key)
    asked.push(...others)
    // Half of the six connections are for searches, and the third is the other account's.
    await vi.waitFor(async () => expect(await connectionsThatWait()).toBe(3))
    expect(await call(`${world.url}/api/hooks`, { key: other.key })).toMatchObject({ status: 200 })
    expect(await connectionsThatWait()).toBe(3)
  })
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('who waits too long for a turn is told so, and when to come again', async () => {
  let refused: CallAnswer[] = []
  await whileLedgerIsLocked(async () => {
    refused = (await Promise.all(heavy(greedy.key))).filter(({ status }) => status === 429)
  })
  expect(refused.length).toBe(8)
  for (const { json, headers } of refused) {
    expect(json).toMatchObject({ success: false, code: 1207 })
    expect(headers.get('retry-after')).toBe('1')
  }
  const after = await call(`${world.url}/api/events`, { key: greedy.key })
  expect(after.status).toBe(200)
})

/** Whoever needs what the statement locks waits meanwhile. */
async function whileLocked(lock: string, during: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: world.database.url.href })
  await client.connect()
  try {
    await client.query(`BEGIN; ${lock}`)
    await during()
  } finally {
    await client.end()
  }
}

test.each([
  ['counted', (): string => `SELECT FROM call_counts WHERE account_id = ${greedy.accountId} FOR UPDATE`, 1],
  ['handled', (): string => 'LOCK TABLE hooks IN ACCESS EXCLUSIVE MODE', 3],
] as const)(
  'calls of one account that wait to be %s leave connections to the others',
  async (_what, lock, maxConnections) => {
    await call(`${world.url}/api/hooks`, { key: greedy.key })
    let asked: Array<Promise<CallAnswer>> = []
    await whileLocked(lock(), async () => {
      asked = Array.from({ length: 20 }, () => call(`${world.url}/api/hooks`, { key: greedy.key }))
      await vi.waitFor(async () => expect(await connectionsThatWait()).toBe(maxConnections))
      expect(await call(`${world.url}/api/replays`, { key: other.key })).toMatchObject({ status: 200 })
      expect(await connectionsThatWait()).toBe(maxConnections)
    })
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([])
  },
)
