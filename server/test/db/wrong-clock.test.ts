/** Processes with a wrong clock drop and expire nothing, and report the offset. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fakeTime } from '../../../dev/fake-time.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { openDatabase } from '../../src/db/database.ts'
import { createHookCache } from '../../src/hooks/hook-cache.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 90_000 })

const settings = { ALLOW_PRIVATE_TARGETS: 'true' }
let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService(settings, 'api')
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function createAccountWithHook(path: string): Promise<TestAccount> {
  const account = await hookline.account()
  const json = { target_url: receiver.url(path), event_type: 'all', request_method: 'JSON' }
  await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, json })
  return account
}

function partitions(): Promise<object[]> {
  return hookline.database.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits ORDER BY 1`)
}

async function readiness({ internalUrl }: ServiceProcess): Promise<{ status: number; text: string }> {
  const response = await fetch(`${internalUrl}/health/ready`)
  return { status: response.status, text: await response.text() }
}

async function clockOffset({ internalUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  return Number(/^hookline_clock_offset_seconds (\S+)$/m.exec(text)?.[1])
}

const day = 86_400

test.each([
  ['45 days ahead', '+45d', 45 * day, 'ahead of'],
  ['45 days behind', '-45d', -45 * day, 'behind'],
])('a worker %s drops nothing, uses the database time and is not ready', async (...input) => {
  const [name, offset, seconds, direction] = input
  const path = `/${name.replaceAll(' ', '-')}`
  const { accountId } = await createAccountWithHook(path)
  // On hold for one hour, for a disabled hook.
  const held = await gateway.event(accountId)
  await hookline.database.query('DELETE FROM inbox WHERE event_id = $1', [held])
  await hookline.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
     SELECT account_id, 2000000000, id, type, accepted_at - interval '1 hour', now(), true FROM events WHERE id = $1`,
    [held],
  )
  const before = await partitions()

  const worker = await hookline.startAnother({ ...settings, ...fakeTime({ offset }) }, 'worker')
  const id = await gateway.event(accountId)
  await receiver.until(() => receiver.at(path).length > 0, 30_000)
  await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('retention skipped')
  await expect
    .poll(() => hookline.database.query('SELECT state FROM deliveries WHERE event_id = $1', [id]))
    .toEqual([{ state: 'delivered' }])

  expect(await partitions()).toEqual(before)
  expect(await hookline.database.query('SELECT held FROM work WHERE event_id = $1', [held])).toEqual([
    { held: true },
  ])
  const [request] = receiver.at(path)
  expect(Math.abs(Number(request?.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(30)
  expect(
    await hookline.database.query(
      `SELECT abs(extract(epoch FROM now() - started_at)) < 30 AS is_now FROM all_attempts WHERE event_id = $1`,
      [id],
    ),
  ).toEqual([{ is_now: true }])
  expect(await readiness(worker)).toMatchObject({ status: 503, text: expect.stringContaining(direction) })
  expect(await clockOffset(worker)).toBeCloseTo(seconds, -1)
  expect(worker.output()).toContain('clock differs from the database')
  await worker.stop()

  expect((await gateway.submitEvents(inboundSms(accountId))).status).toBe(202)
  expect(await readiness(hookline.service)).toMatchObject({ status: 200 })
})

test('a worker whose clock is 60 s ahead expires no voice call', async () => {
  const path = '/voice'
  const { accountId } = await createAccountWithHook(path)
  const worker = await hookline.startAnother({ ...settings, ...fakeTime({ offset: '+60s' }) }, 'worker')
  const data = { id: '1', caller: '491700000001', system: '491700000002', time: '1731656400' }
  const calls = Array.from({ length: 40 }, () => ({ account_id: accountId, type: 'voice_call', data }))
  expect((await gateway.submitEvents(...calls)).accepted).toHaveLength(40)
  const readStates = () =>
    hookline.database.query<{ state: string; count: number }>(
      'SELECT state, count(*)::integer FROM deliveries WHERE account_id = $1 GROUP BY 1',
      [accountId],
    )
  await expect
    .poll(async () => (await readStates()).reduce((sum, { count }) => sum + count, 0), { timeout: 30_000 })
    .toBe(40)
  expect(await readStates()).toEqual([{ state: 'delivered', count: 40 }])
  expect(await readiness(worker)).toMatchObject({ status: 503, text: expect.stringContaining('60 s ahead') })
  await worker.stop()
})

test('a webhook with a rotated secret still loads after the clock was set back by two hours', async () => {
  const { accountId } = await createAccountWithHook('/rotated')
  const { query } = hookline.database
  await query(
    `UPDATE hooks SET secret_generation = 2, secret_rotated_at = now() - interval '25 hours', previous_secret = secret
     WHERE account_id = $1`,
    [accountId],
  )
  // Shadows now() of PostgreSQL through the search path.
  await query('CREATE SCHEMA set_back')
  await query(`CREATE TABLE set_back.clock AS SELECT interval '0' AS by`)
  await query(
    `CREATE FUNCTION set_back.now() RETURNS timestamptz LANGUAGE sql STABLE
     AS 'SELECT pg_catalog.now() - (SELECT by FROM set_back.clock)'`,
  )
  const url = new URL(hookline.database.url)
  url.searchParams.set('options', '-c search_path=set_back,pg_catalog,public')
  const db = openDatabase(url, 2, () => {})
  try {
    const hooks = createHookCache(db, hookline.vault)
    await hooks.load([accountId])
    await query(`UPDATE set_back.clock SET by = '2 hours'`)
    await query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [accountId])
    await hooks.load([accountId])
    const [hook] = hooks.get(accountId)?.hooks.values() ?? []
    expect(hook).toMatchObject({ eventType: 'all', enabled: true, targetUrl: receiver.url('/rotated') })
    expect(hook?.secrets).toHaveLength(2)
  } finally {
    await db.destroy()
  }
})
