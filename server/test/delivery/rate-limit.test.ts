import { afterAll, beforeAll, expect, test } from 'vitest'
import { setHookOptions } from '../../src/hooks/set-options.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2].map(() => hookline.startAnother({}, 'worker')))
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

test('a webhook with a rate limit is called within the limit by all workers together, and no event is lost', async () => {
  // Each worker assumes to be the only one until it has seen the heartbeat of the other.
  await expect
    .poll(
      () => hookline.database.query(`SELECT FROM workers WHERE seen_at > started_at + interval '2 seconds'`),
      { timeout: 30_000 },
    )
    .toHaveLength(2)
  const { accountId, key } = await hookline.account()
  const form = { target_url: receiver.url('/rated'), event_type: 'sms_mo' }
  const { json } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
  expect(await setHookOptions(hookline.db, 'operator', accountId, json.id, { maxPerSecond: 10 })).toBe(true)
  expect(await setHookOptions(hookline.db, 'operator', accountId, json.id + 1, { maxPerSecond: 10 })).toBe(
    false,
  )

  const { accepted } = await gateway.submitEvents(...Array.from({ length: 60 }, () => inboundSms(accountId)))
  await receiver.until((requests) => requests.length >= 60, 30_000)
  const arrivals = receiver.at('/rated').map(({ at }) => at)
  const ids = receiver.at('/rated').map((request) => String(request.headers['webhook-id']))
  expect(ids.toSorted()).toEqual(accepted.toSorted())
  // Unused capacity of a second carries over, so any second has at most twice as many.
  const maxPerSecond = Math.max(
    ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length),
  )
  expect(maxPerSecond).toBeLessThanOrEqual(20)
  // The first ten arrive immediately, the others at ten per second.
  expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThanOrEqual(4_500)
}, 60_000)
