/** Processes whose machine has the wrong time: nothing is dropped or expired by it, and they say so. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fakeTime } from '../../dev/fake-time.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

const settings = { ALLOW_PRIVATE_TARGETS: 'true' }
let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld(settings, 'api')
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function accountWithHook(path: string): Promise<TestAccount> {
  const account = await world.account()
  const json = { target_url: receiver.url(path), event_type: 'all', request_method: 'JSON' }
  await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, json })
  return account
}

function partitions(): Promise<object[]> {
  return world.database.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits ORDER BY 1`)
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
])('a worker %s drops nothing, delivers by the time of the database and is not ready', async (...given) => {
  const [name, offset, seconds, words] = given
  const path = `/${name.replaceAll(' ', '-')}`
  const { accountId } = await accountWithHook(path)
  // Held for a hook that is disabled, for an hour so far.
  const held = await gateway.event(accountId)
  await world.database.query('DELETE FROM inbox WHERE event_id = $1', [held])
  await world.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
     SELECT account_id, 2000000000, id, type, accepted_at - interval '1 hour', now(), true FROM events WHERE id = $1`,
    [held],
  )
  const before = await partitions()

  const worker = await world.startAnother({ ...settings, ...fakeTime({ offset }) }, 'worker')
  const id = await gateway.event(accountId)
  await receiver.until(() => receiver.at(path).length > 0, 30_000)
  await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('retention skipped')
  await expect
    .poll(() => world.database.query('SELECT state FROM deliveries WHERE event_id = $1', [id]))
    .toEqual([{ state: 'delivered' }])

  expect(await partitions()).toEqual(before)
  expect(await world.database.query('SELECT held FROM work WHERE event_id = $1', [held])).toEqual([
    { held: true },
  ])
  const [request] = receiver.at(path)
  expect(Math.abs(Number(request?.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(30)
  expect(
    await world.database.query(
      `SELECT abs(extract(epoch FROM now() - started_at)) < 30 AS is_now FROM attempts WHERE event_id = $1`,
      [id],
    ),
  ).toEqual([{ is_now: true }])
  expect(await readiness(worker)).toMatchObject({ status: 503, text: expect.stringContaining(words) })
  expect(await clockOffset(worker)).toBeCloseTo(seconds, -1)
  expect(worker.output()).toContain('clock differs from the database')
  await worker.stop()

  expect((await gateway.handIn(inboundSms(accountId))).status).toBe(202)
  expect(await readiness(world.service)).toMatchObject({ status: 200 })
})

test('a worker 60 s fast expires no voice call', async () => {
  const path = '/voice'
  const { accountId } = await accountWithHook(path)
  const worker = await world.startAnother({ ...settings, ...fakeTime({ offset: '+60s' }) }, 'worker')
  const data = { id: '1', caller: '491700000001', system: '491700000002', time: '1731656400' }
  const calls = Array.from({ length: 40 }, () => ({ account_id: accountId, type: 'voice_call', data }))
  expect((await gateway.handIn(...calls)).accepted).toHaveLength(40)
  const ends = () =>
    world.database.query<{ state: string; count: number }>(
      'SELECT state, count(*)::integer FROM deliveries WHERE account_id = $1 GROUP BY 1',
      [accountId],
    )
  await expect
    .poll(async () => (await ends()).reduce((sum, { count }) => sum + count, 0), { timeout: 30_000 })
    .toBe(40)
  expect(await ends()).toEqual([{ state: 'delivered', count: 40 }])
  expect(await readiness(worker)).toMatchObject({ status: 503, text: expect.stringContaining('60 s ahead') })
  await worker.stop()
})
