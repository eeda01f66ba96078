/**
 * Tests faults of the service for one delivery. They use no attempt, double the delay each time, are counted and logged, and
 * finally fail the delivery. In an outage, in which no other delivery succeeds either, no delivery fails.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { sealHeaders } from '../../src/hooks/hook-record.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

/** Creates a hook with a header that cannot be sent. Registration rejects such a header, so it is stored directly. */
async function createUnsendableHook(): Promise<{ accountId: number; hookId: number }> {
  const { accountId, key } = await hookline.account()
  const form = { target_url: receiver.url('/unsendable'), event_type: 'all', request_method: 'JSON' }
  const { id: hookId } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json
  const sealed = sealHeaders('x-a: \u0001', accountId, hookline.vault)
  await hookline.database.query('UPDATE hooks SET headers = $1 WHERE id = $2', [sealed, hookId])
  await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    accountId,
  ])
  return { accountId, hookId }
}

interface PendingDelivery {
  attempts: number
  faults: number
  delay: number
}

function readPending(hookId: number): Promise<PendingDelivery[]> {
  return hookline.database.query(
    `SELECT attempts, faults, round(extract(epoch FROM due_at - waits_since))::integer AS delay FROM work
     WHERE hook_id = $1 AND lease IS NULL AND faults > 0`,
    [hookId],
  )
}

/** Makes the delivery due, with the given number of faults so far. */
async function makeDue(hookId: number, faults: number): Promise<void> {
  await hookline.database.query('UPDATE work SET due_at = now(), faults = $2 WHERE hook_id = $1', [
    hookId,
    faults,
  ])
  await hookline.database.query('UPDATE lane SET due_at = now() WHERE hook_id = $1', [hookId])
}

async function readFaultCount(): Promise<number> {
  const text = await (await fetch(`${hookline.service.internalUrl}/metrics`)).text()
  return Number(/hookline_attempts_total\{reason="internal"\} (\d+)/.exec(text)?.[1] ?? 0)
}

test('a delivery with faults of the service waits longer each time, and fails only while others succeed', async () => {
  const { accountId, hookId } = await createUnsendableHook()
  const event = await gateway.event(accountId)
  await expect
    .poll(() => readPending(hookId), { timeout: 20_000 })
    .toEqual([{ attempts: 0, faults: 1, delay: 5 }])
  for (const [faults, delay] of [
    [1, 10],
    [5, 160],
    // No other delivery has succeeded, so this may be an outage. The delivery does not fail, regardless of its faults.
    [11, 600],
    [30, 600],
  ] as const) {
    await makeDue(hookId, faults)
    await expect
      .poll(() => readPending(hookId), { timeout: 20_000 })
      .toEqual([{ attempts: 0, faults: faults + 1, delay }])
  }
  expect(await hookline.database.query('SELECT FROM all_attempts WHERE hook_id = $1', [hookId])).toEqual([])
  expect(await readFaultCount()).toBe(5)
  expect(hookline.service.output()).toMatch(/"level":"error".*"faults":31.*service fault/)

  const healthy = await hookline.account()
  const form = { target_url: receiver.url('/healthy'), event_type: 'all' }
  await call(`${hookline.url}/api/hooks`, { method: 'POST', key: healthy.key, form })
  await gateway.event(healthy.accountId)
  await receiver.until(() => receiver.at('/healthy').length > 0)
  await makeDue(hookId, 10)
  await expect.poll(() => readPending(hookId), { timeout: 20_000 }).toMatchObject([{ faults: 11 }])
  await makeDue(hookId, 11)
  await expect
    .poll(
      () =>
        hookline.database.query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', [
          event,
        ]),
      {
        timeout: 20_000,
      },
    )
    .toEqual([{ state: 'failed', reason: 'internal', attempts: 1 }])
  // The failure does not count against the receiver.
  expect(await hookline.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [hookId])).toEqual([])
  expect(receiver.at('/unsendable')).toEqual([])
})
