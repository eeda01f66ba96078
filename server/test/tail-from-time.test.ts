/** Where a tail from a time begins: before all that became of events since, however old they are, and not much earlier. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionAt } from '../src/pipeline/tail/read-tail.ts'
import { openTail } from '../../dev/tail-reader.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld

beforeAll(async () => {
  world = await startWorld({}, 'api')
})
afterAll(() => world.close())

const startedAt = Date.now()

function minutesAgo(minutes: number): Date {
  return new Date(startedAt - minutes * 60_000)
}

/** One transaction, as if it had been so long ago. Answers its number and the events. */
async function accept(accountId: number, minutes: number, count = 1) {
  const rows = await world.database.query<{ id: string; xid: string }>(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, uuid_v7($2::timestamptz), 'sms_mo', '{}', 1, $2 FROM generate_series(1, $3) RETURNING id, xid::text`,
    [accountId, minutesAgo(minutes), count],
  )
  return { xid: rows[0]?.xid ?? '', ids: rows.map(({ id }) => id).toSorted() }
}

async function finish(accountId: number, minutes: number, ids: readonly string[]): Promise<string> {
  const rows = await world.database.query<{ xid: string }>(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, finished_at)
     SELECT $1, id, 7, 1, 'delivered', 'delivered', 2, $2 FROM unnest($3::uuid[]) AS id RETURNING xid::text`,
    [accountId, minutesAgo(minutes), ids],
  )
  return rows[0]?.xid ?? ''
}

function ended(ids: readonly string[]): string[][] {
  return ids.map((id) => ['delivery', id])
}

test('a tail from an hour ago brings the deliveries that ended since, of older events too, and nothing from before', async () => {
  const { accountId, key } = await world.account()
  const { ids } = await accept(accountId, 180, 500)
  await finish(accountId, 90, ids.slice(0, 200))
  await finish(accountId, 50, ids.slice(200, 499))
  const url = `${world.url}/api/events/stream?from=${minutesAgo(60).toISOString()}`
  const first = await openTail(url, { headers: { 'x-api-key': key } })
  await expect.poll(() => first.messages.length, { timeout: 20_000 }).toBe(299)
  first.cut()

  const young = await accept(accountId, 30)
  await finish(accountId, 20, [...ids.slice(499), ...young.ids])
  const second = await openTail(url, { headers: { 'x-api-key': key } })
  await expect.poll(() => second.messages.length, { timeout: 20_000 }).toBe(302)
  second.cut()
  const got = second.messages.map(({ event, data }) => [event, data.event_id ?? data.id])
  expect(got).toEqual([
    ...ended(ids.slice(200, 499)),
    ...young.ids.map((id) => ['event', id]),
    ...ended([...ids.slice(499), ...young.ids]),
  ])
})

test('it begins at the last row that is surely older, so that little is read to be passed over', async () => {
  const { accountId } = await world.account()
  const other = await world.account()
  const { ids } = await accept(accountId, 600, 30)
  let last = ''
  for (let count = 0; count < 10; count++) {
    last = await finish(accountId, 500 - count * 40, ids.slice(count, count + 1))
    await finish(other.accountId, 500 - count * 40, ids.slice(count, count + 1))
  }
  for (let count = 10; count < 20; count++) await finish(accountId, 114 - count, ids.slice(count, count + 1))
  expect((await positionAt(world.db, accountId, minutesAgo(100))).xid).toBe(last)
})

test('it begins before everything where nothing is older, and at the last row where everything is', async () => {
  const { accountId } = await world.account()
  expect((await positionAt(world.db, accountId, minutesAgo(60))).xid).toBe('0')
  const { xid } = await accept(accountId, 30)
  expect((await positionAt(world.db, accountId, minutesAgo(60))).xid).toBe('0')
  expect((await positionAt(world.db, accountId, minutesAgo(0))).xid).toBe(xid)
  expect((await positionAt(world.db, accountId, new Date(0))).xid).toBe('0')
})
