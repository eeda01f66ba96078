/** Tests the delivery of accepted events with one api process, three workers and real receivers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 90_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2, 3].map(() => hookline.startAnother({}, 'worker')))
  gateway = await createGateway(hookline)
  receiver = await startReceiver((request, response, count) => {
    response.statusCode = request.url.startsWith('/fails-once') && count % 2 === 1 ? 500 : 204
    if (request.url === '/gone') response.statusCode = 410
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function register(
  { key }: TestAccount,
  path: string,
  fields: Record<string, string> = {},
): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', ...fields }
  const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
  expect(created.status).toBe(200)
  return created.json.id
}

async function finalStates(eventId: string): Promise<object[]> {
  return hookline.database.query(
    'SELECT hook_id, state, reason, attempts FROM deliveries WHERE event_id = $1 ORDER BY hook_id',
    [eventId],
  )
}

/** Waits until the event is finished. Routing commits all matches at once, so no delivery can follow. */
async function untilFinished(eventId: string): Promise<void> {
  await expect
    .poll(
      () =>
        hookline.database.query(
          'SELECT FROM inbox WHERE event_id = $1 UNION ALL SELECT FROM work WHERE event_id = $1',
          [eventId],
        ),
      { timeout: 30_000 },
    )
    .toEqual([])
}

test('an accepted event reaches every matching webhook and no other', async () => {
  const account = await hookline.account()
  const matching = await register(account, '/wants')
  const all = await register(account, '/all', { event_type: 'all' })
  await register(account, '/other-type', { event_type: 'dlr' })
  await register(account, '/other-number', { event_filter: '4999' })
  const sameNumber = await register(account, '/same-number', { event_filter: '+49 170 0000002, 4999' })
  const event = await gateway.event(account.accountId)
  await untilFinished(event)
  const paths = receiver.requests
    .filter((request) => request.headers['webhook-id'] === event)
    .map((r) => r.url)
  expect(paths.toSorted()).toEqual(['/all', '/same-number', '/wants'])
  expect(await finalStates(event)).toEqual(
    [matching, all, sameNumber].map((hook_id) => ({
      hook_id,
      state: 'delivered',
      reason: 'delivered',
      attempts: 1,
    })),
  )
})

test('a failed delivery is retried with the same id and the same bytes', async () => {
  const account = await hookline.account()
  const retryReceiver = await startReceiver((_request, response, count) => {
    response.statusCode = count === 1 ? 500 : 200
    response.end('answer')
  })
  const form = { target_url: retryReceiver.url('/retried'), event_type: 'sms_mo', request_method: 'JSON' }
  await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  const event = await gateway.event(account.accountId)
  await retryReceiver.until((requests) => requests.length === 2, 30_000)
  const [first, second] = retryReceiver.requests
  expect(second?.body).toBe(first?.body)
  expect([first, second].map((request) => request?.headers['webhook-id'])).toEqual([event, event])
  expect([first, second].map((request) => request?.headers['x-hookline-attempt'])).toEqual(['1', '2'])
  expect(second?.headers['x-nonce']).not.toBe(first?.headers['x-nonce'])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5_000)
  await retryReceiver.close()
})

test('410 disables the webhook, and later events are held', async () => {
  const account = await hookline.account()
  const id = await register(account, '/gone')
  const event = await gateway.event(account.accountId)
  await expect
    .poll(async () => finalStates(event), { timeout: 30_000 })
    .toEqual([{ hook_id: id, state: 'failed', reason: 'gone', attempts: 1 }])
  const isEnabled = async () =>
    (await call(`${hookline.url}/api/hooks`, { key: account.key })).json.hooks[0].enabled
  await expect.poll(isEnabled, { timeout: 30_000 }).toBe(false)
  const later = await gateway.event(account.accountId)
  await expect
    .poll(() => hookline.database.query('SELECT held FROM work WHERE event_id = $1', [later]), {
      timeout: 30_000,
    })
    .toEqual([{ held: true }])
})

test('a deleted webhook receives nothing more, and its pending deliveries are canceled', async () => {
  const account = await hookline.account()
  const id = await register(account, '/fails-once/deleted')
  const failing = await startReceiver((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  const form = { target_url: failing.url('/'), event_type: 'sms_mo' }
  const deletedId = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })).json
    .id
  const event = await gateway.event(account.accountId)
  await failing.until((requests) => requests.length === 1)
  await call(`${hookline.url}/api/hooks`, {
    method: 'DELETE',
    key: account.key,
    form: { id: String(deletedId) },
  })
  await expect
    .poll(
      async () => (await finalStates(event)).find((row) => 'hook_id' in row && row.hook_id === deletedId),
      {
        timeout: 30_000,
      },
    )
    .toMatchObject({ state: 'cancelled', reason: 'hook_deleted', attempts: 1 })
  await sleep(6_000)
  expect(failing.requests).toHaveLength(1)
  expect(id).not.toBe(deletedId)
  await failing.close()
})

test('each event of a call is validated separately', async () => {
  const account = await hookline.account()
  const response = await gateway.submitEvents(
    inboundSms(account.accountId),
    { account_id: account.accountId, type: 'sms_mo', data: { id: '1' } },
    { account_id: 2_000_000_000, type: 'dlr', data: { msg_id: '1', status: 'DELIVERED', timestamp: '1' } },
    { account_id: account.accountId, type: 'nonsense', data: {} },
  )
  expect(response.status).toBe(202)
  expect(response.accepted).toHaveLength(1)
  expect(response.rejected.map(({ index, code }) => [index, code])).toEqual([
    [1, 1012],
    [2, 1120],
    [3, 1012],
  ])
})

test('a repeated key returns the same event, and is rejected with a different body', async () => {
  const account = await hookline.account()
  const event = { ...inboundSms(account.accountId), key: 'order-1' }
  const [first, second] = [await gateway.submitEvents(event), await gateway.submitEvents(event)]
  expect(second.accepted).toEqual(first.accepted)
  const other = await gateway.submitEvents({
    ...inboundSms(account.accountId, { text: 'other' }),
    key: 'order-1',
  })
  expect([other.status, other.rejected[0]?.code]).toEqual([409, 1121])
  const duplicates = await gateway.submitEvents({ ...event, key: 'order-2' }, { ...event, key: 'order-2' })
  expect(new Set(duplicates.accepted).size).toBe(1)
  expect(
    await hookline.database.query('SELECT FROM events WHERE account_id = $1', [account.accountId]),
  ).toHaveLength(2)
})
