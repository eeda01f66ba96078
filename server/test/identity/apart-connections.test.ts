/** Intake, anonymous calls and account calls have separate connection pools, so that none can exhaust the others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/identity/keys/token.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
beforeAll(async () => {
  hookline = await startTestService({ DATABASE_POOL: '2' }, 'api')
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())

test('events are accepted while account calls hold every connection of the API', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => hookline.account()))
  await hookline.database.query('BEGIN')
  await hookline.database.query('LOCK TABLE keys IN ACCESS EXCLUSIVE MODE')
  let responded = 0
  const calls = accounts.map(async ({ key }) => {
    const { status } = await call(`${hookline.url}/api/hooks`, { key })
    responded++
    return status
  })
  try {
    expect(await gateway.event(accounts[0]?.accountId ?? 0)).toEqual(expect.any(String))
    expect(responded).toBe(0)
  } finally {
    await hookline.database.query('ROLLBACK')
  }
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200])
})

test('account calls respond while anonymous sign-ins hold all their connections', async () => {
  const { key } = await hookline.account()
  const headers = { origin: 'http://localhost:8080' }
  await hookline.database.query('BEGIN')
  await hookline.database.query('LOCK TABLE logins IN ACCESS EXCLUSIVE MODE')
  let responded = 0
  const signIns = Array.from({ length: 12 }, async (_, index) => {
    const json = { login: `stranger-${index}`, password: 'not the password' }
    const { status } = await call(`${hookline.url}/api/session`, { method: 'POST', json, headers })
    responded++
    return status
  })
  try {
    expect((await call(`${hookline.url}/api/hooks`, { key })).status).toBe(200)
    expect(responded).toBe(0)
  } finally {
    await hookline.database.query('ROLLBACK')
  }
  expect(new Set(await Promise.all(signIns))).toEqual(new Set([401]))
})

/** Returns the number of key lookups that wait for a lock in the database. */
async function lookupsInDatabase(): Promise<number | undefined> {
  // A transaction caches this view, so the connection that holds the lock cannot be used.
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"keys"%'
  `.execute(hookline.db)
  return rows[0]?.count
}

test('calls with one key use few connections until its account is cached', async () => {
  const { key } = await hookline.account()
  const { url, stop } = await hookline.startAnother({ DATABASE_POOL: '12' }, 'api')
  await hookline.database.query('BEGIN')
  await hookline.database.query('LOCK TABLE keys IN ACCESS EXCLUSIVE MODE')
  const calls = Array.from({ length: 30 }, async () => (await call(`${url}/api/hooks`, { key })).status)
  try {
    await expect.poll(lookupsInDatabase, { timeout: 3_000 }).toBe(4)
    await sleep(500)
    expect(await lookupsInDatabase()).toBe(4)
  } finally {
    await hookline.database.query('ROLLBACK')
  }
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
  await stop()
})

test('calls with invalid keys queue, and calls of cached accounts do not', async () => {
  const { key } = await hookline.account()
  const { url, stop } = await hookline.startAnother({ DATABASE_POOL: '12' }, 'api')
  expect((await call(`${url}/api/hooks`, { key })).status).toBe(200)
  await hookline.database.query('BEGIN')
  await hookline.database.query('LOCK TABLE keys IN ACCESS EXCLUSIVE MODE')
  const statuses: number[] = []
  const flood = Array.from({ length: 110 }, async (_, index) => {
    // `u` is ignored with a key.
    const path = index % 2 === 0 ? '/api/hooks' : '/api/hooks?u=nobody'
    statuses.push((await call(`${url}${path}`, { key: createToken('hlk') })).status)
  })
  let accountCall: ReturnType<typeof call>
  try {
    // Four lookups run and 100 of the network are queued.
    await expect.poll(() => statuses, { timeout: 3_000 }).toEqual(Array.from({ length: 6 }, () => 503))
    await expect.poll(lookupsInDatabase, { timeout: 3_000 }).toBe(4)
    accountCall = call(`${url}/api/hooks`, { key })
    await expect.poll(lookupsInDatabase, { timeout: 3_000 }).toBe(5)
  } finally {
    await hookline.database.query('ROLLBACK')
    await Promise.all(flood)
  }
  expect((await accountCall).status).toBe(200)
  expect(statuses.slice(6)).toEqual(Array.from({ length: 104 }, () => 401))
  await stop()
})
