/**
 * Due deliveries of more slow hooks than there are slots for them, with real PostgreSQL. The hooks wait in line, so a claim
 * takes a delivery only if it has a slot. Claims that are released cost as much as claims that start.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHookCache } from '../../src/hooks/hook-cache.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createDuePoller } from '../../src/delivery/due-poller.ts'
import { createLeasedStarter } from '../../src/delivery/leased-starter.ts'
import { createDeliveryQueue } from '../../src/delivery/queue/queue.ts'
import { createSlots } from '../../src/delivery/slots.ts'
import type { SlottedDelivery } from '../../src/delivery/route.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

const hookCount = 12
const duePerHook = 10
/** Half of the slots. */
const slowSlots = 4

let hookline: TestService
const hooksOfAccounts: Array<{ accountId: number; hookId: number }> = []

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  for (let count = 0; count < hookCount; count++) {
    const { accountId, key } = await hookline.account()
    const form = {
      target_url: `http://127.0.0.1:${9_000 + count}/`,
      event_type: 'sms_mo',
      request_method: 'JSON',
    }
    const { json } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
    hooksOfAccounts.push({ accountId, hookId: json.id })
  }
})
afterAll(() => hookline.close())

async function addDue(accountId: number, hookId: number): Promise<void> {
  await hookline.database.query(
    `WITH created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $3) RETURNING id
     ), schedule AS (
       INSERT INTO lane VALUES ($1, $2, now())
     )
     INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
     SELECT $1, $2, id, 'sms_mo', now(), now() FROM created`,
    [accountId, hookId, duePerHook],
  )
}

test('hooks that wait in line are claimed one delivery at a time, in turn, and only when a slot is free', async () => {
  for (const { accountId, hookId } of hooksOfAccounts) await addDue(accountId, hookId)
  const started: SlottedDelivery[] = []
  const claimed: number[] = []
  const queue = createDeliveryQueue(hookline.db)
  const hooks = createHookCache(hookline.db, hookline.vault)
  const slots = createSlots({ total: 2 * slowSlots, perHook: 100, perAccount: 100 }, () => 0)
  const due = createDuePoller(
    {
      store: {
        ...queue,
        async claimDue(...input) {
          const result = await queue.claimDue(...input)
          claimed.push(result.deliveries.length)
          return result
        },
      },
      hooks,
      clock: systemClock,
      isResolverDown: () => false,
    },
    randomUUID(),
    slots,
    createLeasedStarter(hooks, slots, { start: (delivery) => started.push(delivery) }),
    () => [],
  )
  const claimAll = async (): Promise<number> => {
    await hookline.database.query('UPDATE lane SET due_at = now() WHERE due_at > now()')
    claimed.length = 0
    await due.poll()
    return claimed.reduce((sum, rows) => sum + rows, 0)
  }
  const inUse = Array.from({ length: slowSlots }, (_, count) => {
    const slot = slots.reserve(
      0,
      { id: 1_000_000 + count, host: `other-${count}`, maxPerSecond: null },
      'due',
    )
    if (typeof slot === 'string') throw new Error(slot)
    return slot
  })

  // At first no hook is in line. Those that are claimed without a slot join it.
  while (slots.atLimit().hooks.length < hookCount) await claimAll()
  expect([await claimAll(), await claimAll()]).toEqual([0, 0])
  expect(started).toEqual([])

  const served: number[] = []
  for (const slot of inUse) {
    slots.release(slot)
    expect(await claimAll()).toBe(1)
    const next = started.pop()
    if (next === undefined) throw new Error('nothing started')
    served.push(next.hookId)
    if (served.length === 2 * hookCount) break
    inUse.push(next.slot)
  }
  const firstRound = served.slice(0, hookCount)
  expect(new Set(firstRound).size).toBe(hookCount)
  expect(served.slice(hookCount)).toEqual(firstRound)
})
