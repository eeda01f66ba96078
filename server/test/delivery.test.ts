/** What becomes of an accepted event, with one api process and three workers against real receivers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2, 3].map(() => world.startAnother({}, 'worker')))
  gateway = await createGateway(world)
  receiver = await startReceiver((request, response, count) => {
    response.statusCode = request.url.startsWith('/fails-once') && count % 2 === 1 ? 500 : 204
    if (request.url === '/gone') response.statusCode = 410
    response.end()
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function register(
  { key }: TestAccount,
  path: string,
  more: Record<string, string> = {},
): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', ...more }
  const created = await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
  expect(created.status).toBe(200)
  return created.json.id
}

async function finalStates(eventId: string): Promise<object[]> {
  return world.database.query(
    'SELECT hook_id, state, reason, attempts FROM deliveries WHERE event_id = $1 ORDER BY hook_id',
    [eventId],
  )
}

/** Routing commits all that matches at once, so after this nothing more can come of the event. */
async function untilEnded(eventId: string): Promise<void> {
  await expect
    .poll(
      () =>
        world.database.query(
          'SELECT FROM inbox WHERE event_id = $1 UNION ALL SELECT FROM work WHERE event_id = $1',
          [eventId],
        ),
      { timeout: 30_000 },
    )
    .toEqual([])
}

test('an accepted event reaches every webhook that wants it and no other', async () => {
  const account = await world.account()
  const wants = await register(account, '/wants')
  const all = await register(account, '/all', { event_type: 'all' })
  await register(account, '/other-type', { event_type: 'dlr' })
  await register(account, '/other-number', { event_filter: '4999' })
  const sameNumber = await register(account, '/same-number', { event_filter: '+49 170 0000002, 4999' })
  const event = await gateway.event(account.accountId)
  await untilEnded(event)
  const paths = receiver.requests
    .filter((request) => request.headers['webhook-id'] === event)
    .map((r) => r.url)
  expect(paths.toSorted()).toEqual(['/all', '/same-number', '/wants'])
  expect(await finalStates(event)).toEqual(
    [wants, all, sameNumber].map((hook_id) => ({
      hook_id,
      state: 'delivered',
      reason: 'delivered',
      attempts: 1,
    })),
  )
})

test('a failed delivery is tried again with the same id and the same bytes', async () => {
  const account = await world.account()
  const ownReceiver = await startReceiver((_request, response, count) => {
    response.statusCode = count === 1 ? 500 : 200
    response.end('answer')
  })
  const form = { target_url: ownReceiver.url('/retried'), event_type: 'sms_mo', request_method: 'JSON' }
  await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form })
  const event = await gateway.event(account.accountId)
  await ownReceiver.until((got) => got.length === 2, 30_000)
  const [first, second] = ownReceiver.requests
  expect(second?.body).toBe(first?.body)
  expect([first, second].map((request) => request?.headers['webhook-id'])).toEqual([event, event])
  expect([first, second].map((request) => request?.headers['x-hookline-attempt'])).toEqual(['1', '2'])
  expect(second?.headers['x-nonce']).not.toBe(first?.headers['x-nonce'])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5_000)
  await ownReceiver.close()
})

test('410 disables the webhook, and what comes after is held for it', async () => {
  const account = await world.account()
  const id = await register(account, '/gone')
  const event = await gateway.event(account.accountId)
  await expect
    .poll(async () => finalStates(event), { timeout: 30_000 })
    .toEqual([{ hook_id: id, state: 'failed', reason: 'gone', attempts: 1 }])
  const isEnabled = async () =>
    (await call(`${world.url}/api/hooks`, { key: account.key })).json.hooks[0].enabled
  await expect.poll(isEnabled, { timeout: 30_000 }).toBe(false)
  const later = await gateway.event(account.accountId)
  await expect
    .poll(() => world.database.query('SELECT held FROM work WHERE event_id = $1', [later]), {
      timeout: 30_000,
    })
    .toEqual([{ held: true }])
})

test('a deleted webhook receives nothing more, and what waited for it is cancelled', async () => {
  const account = await world.account()
  const id = await register(account, '/fails-once/deleted')
  const failing = await startReceiver((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  const form = { target_url: failing.url('/'), event_type: 'sms_mo' }
  const doomed = (await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form })).json.id
  const event = await gateway.event(account.accountId)
  await failing.until((got) => got.length === 1)
  await call(`${world.url}/api/hooks`, { method: 'DELETE', key: account.key, form: { id: String(doomed) } })
  await expect
    .poll(async () => (await finalStates(event)).find((row) => 'hook_id' in row && row.hook_id === doomed), {
      timeout: 30_000,
    })
    .toMatchObject({ state: 'cancelled', reason: 'hook_deleted', attempts: 1 })
  await sleep(6_000)
  expect(failing.requests).toHaveLength(1)
  expect(id).not.toBe(doomed)
  await failing.close()
})

test('each event of a call is judged by itself', async () => {
  const account = await world.account()
  const answer = await gateway.handIn(
    inboundSms(account.accountId),
    { account_id: account.accountId, type: 'sms_mo', data: { id: '1' } },
    { account_id: 2_000_000_000, type: 'dlr', data: { msg_id: '1', status: 'DELIVERED', timestamp: '1' } },
    { account_id: account.accountId, type: 'nonsense', data: {} },
  )
  expect(answer.status).toBe(202)
  expect(answer.accepted).toHaveLength(1)
  expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual([
    [1, 1012],
    [2, 1120],
    [3, 1012],
  ])
})

test('the same key is the same event, and with another body it is refused', async () => {
  const account = await world.account()
  const event = { ...inboundSms(account.accountId), key: 'order-1' }
  const [first, again] = [await gateway.handIn(event), await gateway.handIn(event)]
  expect(again.accepted).toEqual(first.accepted)
  const other = await gateway.handIn({ ...inboundSms(account.accountId, { text: 'other' }), key: 'order-1' })
  expect([other.status, other.rejected[0]?.code]).toEqual([409, 1121])
  const both = await gateway.handIn({ ...event, key: 'order-2' }, { ...event, key: 'order-2' })
  expect(new Set(both.accepted).size).toBe(1)
  expect(
    await world.database.query('SELECT FROM events WHERE account_id = $1', [account.accountId]),
  ).toHaveLength(2)
})
