/**
 * Faults of ours at one delivery: they use up no attempt, wait twice as long each time, are counted and logged, and fail
 * the delivery in the end. In an outage, when nothing else can be sent either, nothing fails.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { sealHeaders } from '../src/hooks/hook-record.ts'
import { call } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

/** A hook whose header cannot be sent: registration refuses it, so it is put where only a fault of ours could. */
async function unsendableHook(): Promise<{ accountId: number; hookId: number }> {
  const { accountId, key } = await world.account()
  const form = { target_url: receiver.url('/unsendable'), event_type: 'all', request_method: 'JSON' }
  const { id: hookId } = (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json
  const sealed = sealHeaders('x-a: \u0001', accountId, world.vault)
  await world.database.query('UPDATE hooks SET headers = $1 WHERE id = $2', [sealed, hookId])
  await world.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    accountId,
  ])
  return { accountId, hookId }
}

interface Waiting {
  attempts: number
  faults: number
  delay: number
}

function waiting(hookId: number): Promise<Waiting[]> {
  return world.database.query(
    `SELECT attempts, faults, round(extract(epoch FROM due_at - waits_since))::integer AS delay FROM work
     WHERE hook_id = $1 AND lease IS NULL AND faults > 0`,
    [hookId],
  )
}

/** As if it had failed so often by our fault already and its time had come. */
async function letItBeDue(hookId: number, faults: number): Promise<void> {
  await world.database.query('UPDATE work SET due_at = now(), faults = $2 WHERE hook_id = $1', [
    hookId,
    faults,
  ])
  await world.database.query('UPDATE lane SET due_at = now() WHERE hook_id = $1', [hookId])
}

async function countedFaults(): Promise<number> {
  const text = await (await fetch(`${world.service.internalUrl}/metrics`)).text()
  return Number(/hookline_attempts_total\{reason="internal"\} (\d+)/.exec(text)?.[1] ?? 0)
}

test('a delivery that only we cannot send waits longer each time, and is failed while others get through', async () => {
  const { accountId, hookId } = await unsendableHook()
  const event = await gateway.event(accountId)
  await expect
    .poll(() => waiting(hookId), { timeout: 20_000 })
    .toEqual([{ attempts: 0, faults: 1, delay: 5 }])
  for (const [faults, delay] of [
    [1, 10],
    [5, 160],
    // Nothing else has got through, so this may be an outage: it is not failed, however often.
    [11, 600],
    [30, 600],
  ] as const) {
    await letItBeDue(hookId, faults)
    await expect
      .poll(() => waiting(hookId), { timeout: 20_000 })
      .toEqual([{ attempts: 0, faults: faults + 1, delay }])
  }
  expect(await world.database.query('SELECT FROM attempts WHERE hook_id = $1', [hookId])).toEqual([])
  expect(await countedFaults()).toBe(5)
  expect(world.service.output()).toMatch(/"level":"error".*"faults":31.*fault of ours/)

  const healthy = await world.account()
  const form = { target_url: receiver.url('/healthy'), event_type: 'all' }
  await call(`${world.url}/api/hooks`, { method: 'POST', key: healthy.key, form })
  await gateway.event(healthy.accountId)
  await receiver.until(() => receiver.at('/healthy').length > 0)
  await letItBeDue(hookId, 10)
  await expect.poll(() => waiting(hookId), { timeout: 20_000 }).toMatchObject([{ faults: 11 }])
  await letItBeDue(hookId, 11)
  await expect
    .poll(
      () =>
        world.database.query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', [event]),
      {
        timeout: 20_000,
      },
    )
    .toEqual([{ state: 'failed', reason: 'internal', attempts: 1 }])
  // It says nothing against the receiver.
  expect(await world.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [hookId])).toEqual([])
  expect(receiver.at('/unsendable')).toEqual([])
})
