import { afterAll, beforeAll, expect, test } from 'vitest'
import { setHookRate } from '../src/hooks/set-rate.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await Promise.all([1, 2].map(() => world.startAnother({}, 'worker')))
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

test('a webhook with a rate is called no faster, by all workers together, and loses nothing', async () => {
  // Until each has heard of the other, each thinks it is alone.
  await expect
    .poll(
      () => world.database.query(`SELECT FROM workers WHERE seen_at > started_at + interval '2 seconds'`),
      { timeout: 30_000 },
    )
    .toHaveLength(2)
  const { accountId, key } = await world.account()
  const form = { target_url: receiver.url('/rated'), event_type: 'sms_mo' }
  const { json } = await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
  expect(await setHookRate(world.db, 'operator', accountId, json.id, 10)).toBe(true)
  expect(await setHookRate(world.db, 'operator', accountId, json.id + 1, 10)).toBe(false)

  const { accepted } = await gateway.handIn(...Array.from({ length: 60 }, () => inboundSms(accountId)))
  await receiver.until((got) => got.length >= 60, 30_000)
  const arrivals = receiver.at('/rated').map(({ at }) => at)
  const ids = receiver.at('/rated').map((request) => String(request.headers['webhook-id']))
  expect(ids.toSorted()).toEqual(accepted.toSorted())
  // What a second allows may be saved up, so in any second there are at most twice as many.
  const busiest = Math.max(
    ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length),
  )
  expect(busiest).toBeLessThanOrEqual(20)
  // The first ten at once, the others at ten a second.
  expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThanOrEqual(4_500)
}, 60_000)
