/** Tests the start of a tail from a time: before all later changes, also of older events, and not much earlier. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionAt } from '../../src/tail/read-tail.ts'
import { openTail } from '../../../dev/tail-reader.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService

beforeAll(async () => {
  hookline = await startTestService({}, 'api')
})
afterAll(() => hookline.close())

const startedAt = Date.now()

function minutesAgo(minutes: number): Date {
  return new Date(startedAt - minutes * 60_000)
}

/** Inserts events in one transaction with a time in the past. Returns its id and the event ids. */
async function accept(accountId: number, minutes: number, count = 1) {
  const rows = await hookline.database.query<{ id: string; xid: string }>(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, uuid_v7($2::timestamptz), 'sms_mo', '{}', 1, $2 FROM generate_series(1, $3) RETURNING id, xid::text`,
    [accountId, minutesAgo(minutes), count],
  )
  return { xid: rows[0]?.xid ?? '', ids: rows.map(({ id }) => id).toSorted() }
}

async function finish(accountId: number, minutes: number, ids: readonly string[]): Promise<string> {
  const rows = await hookline.database.query<{ xid: string }>(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, finished_at)
     SELECT $1, id, 7, 1, 'delivered', 'delivered', 2, $2 FROM unnest($3::uuid[]) AS id RETURNING xid::text`,
    [accountId, minutesAgo(minutes), ids],
  )
  return rows[0]?.xid ?? ''
}

function deliveryMessages(ids: readonly string[]): string[][] {
  return ids.map((id) => ['delivery', id])
}

test('a tail from an hour ago returns later deliveries, also of older events, and nothing earlier', async () => {
  const { accountId, key } = await hookline.account()
  const { ids } = await accept(accountId, 180, 500)
  await finish(accountId, 90, ids.slice(0, 200))
  await finish(accountId, 50, ids.slice(200, 499))
  const url = `${hookline.url}/api/events/stream?from=${minutesAgo(60).toISOString()}`
  const first = await openTail(url, { headers: { 'x-api-key': key } })
  await expect.poll(() => first.messages.length, { timeout: 20_000 }).toBe(299)
  first.cut()

  const recent = await accept(accountId, 30)
  await finish(accountId, 20, [...ids.slice(499), ...recent.ids])
  const second = await openTail(url, { headers: { 'x-api-key': key } })
  await expect.poll(() => second.messages.length, { timeout: 20_000 }).toBe(302)
  second.cut()
  const received = second.messages.map(({ event, data }) => [event, data.event_id ?? data.id])
  expect(received).toEqual([
    ...deliveryMessages(ids.slice(200, 499)),
    ...recent.ids.map((id) => ['event', id]),
    ...deliveryMessages([...ids.slice(499), ...recent.ids]),
  ])
})

test('the tail starts at the last row that is certainly older, so that few rows are read and skipped', async () => {
  const { accountId } = await hookline.account()
  const other = await hookline.account()
  const { ids } = await accept(accountId, 600, 30)
  let last = ''
  for (let count = 0; count < 10; count++) {
    last = await finish(accountId, 500 - count * 40, ids.slice(count, count + 1))
    await finish(other.accountId, 500 - count * 40, ids.slice(count, count + 1))
  }
  for (let count = 10; count < 20; count++) await finish(accountId, 114 - count, ids.slice(count, count + 1))
  expect((await positionAt(hookline.db, accountId, minutesAgo(100))).xid).toBe(last)
})

test('the tail starts before all rows if none is older, and at the last row if all are older', async () => {
  const { accountId } = await hookline.account()
  expect((await positionAt(hookline.db, accountId, minutesAgo(60))).xid).toBe('0')
  const { xid } = await accept(accountId, 30)
  expect((await positionAt(hookline.db, accountId, minutesAgo(60))).xid).toBe('0')
  expect((await positionAt(hookline.db, accountId, minutesAgo(0))).xid).toBe(xid)
  expect((await positionAt(hookline.db, accountId, new Date(0))).xid).toBe('0')
})
