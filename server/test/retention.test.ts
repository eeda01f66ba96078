/** What may leave the ledger in one run, whatever the clock says; and how the ledger gets over a clock that was wrong. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { dayMs } from '../src/model/day.ts'
import { moveCleanupTime } from '../src/pipeline/ledger/cleanup-time.ts'
import { makePartitions } from '../src/pipeline/ledger/partitions.ts'
import { type DroppedDay, dropOldPartitions, type KeptDay } from '../src/pipeline/ledger/retention.ts'
import { repairFutureTimes } from '../src/pipeline/work/clock-set-back.ts'
import { readWaitingOfDay } from '../src/pipeline/work/waiting-of-day.ts'
import { createGateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

let world: TestWorld
let account: TestAccount
beforeAll(async () => {
  world = await startWorld({}, 'api')
  account = await world.account()
})
afterAll(() => world.close())
beforeEach(async () => {
  await query('DELETE FROM work')
  await query('DELETE FROM inbox')
  await query('DELETE FROM parked')
  await query('UPDATE replays SET finished_at = now()')
  await anHourLater()
})

function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(text, values)
}

const retentionDays = 30

async function anHourLater(): Promise<void> {
  await query(`UPDATE cleanup_clock SET dropped_at = dropped_at - interval '1 hour'`)
}

function dayName(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
}

/** An event accepted so many days ago, in a ledger that has the days from then on. */
async function oldEvent(daysAgo: number): Promise<string> {
  const [row] = await query<{ id: string }>(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at FROM (SELECT now() - make_interval(days => $2) AS at) AS t RETURNING id`,
    account.accountId,
    daysAgo,
  )
  return row?.id ?? ''
}

async function days(): Promise<string[]> {
  const rows = await query<{ day: string }>(
    `SELECT right(relname, 8) AS day FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = 'events'::regclass AND right(relname, 8) < $1 ORDER BY 1`,
    dayName(retentionDays),
  )
  return rows.map(({ day }) => day)
}

async function retain(): Promise<{ dropped: DroppedDay[]; kept: KeptDay[]; ended: Date[] }> {
  const [dropped, kept, ended] = [[] as DroppedDay[], [] as KeptDay[], [] as Date[]]
  await dropOldPartitions(
    {
      db: world.db,
      retentionDays,
      readWaiting: (day) => readWaitingOfDay(world.db, day, retentionDays),
      endWork: async (before) => void ended.push(before),
      onDropped: (day) => dropped.push(day),
      onKept: (day) => kept.push(day),
    },
    new Date(),
  )
  return { dropped, kept, ended }
}

test('one day that holds events is dropped in an hour, and what it held is reported', async () => {
  await makePartitions(world.db, Date.now() - 34 * dayMs)
  for (const daysAgo of [33, 33, 32, 31]) await oldEvent(daysAgo)
  const { dropped, kept } = await retain()
  expect(kept).toEqual([])
  // The empty days before it cost nothing.
  expect(dropped.map(({ day }) => day)).toEqual([dayName(35), dayName(34), dayName(33)])
  expect(dropped.at(-1)?.rows).toEqual({
    [`events_${dayName(33)}`]: 2,
    [`routes_${dayName(33)}`]: 0,
    [`deliveries_${dayName(33)}`]: 0,
    [`attempts_${dayName(33)}`]: 0,
  })
  expect(await days()).toEqual([dayName(32), dayName(31)])
  // However many workers run it within the hour.
  expect((await retain()).dropped).toEqual([])
  await anHourLater()
  expect((await retain()).dropped.map(({ day }) => day)).toEqual([dayName(32)])
  await anHourLater()
  expect((await retain()).dropped.map(({ day }) => day)).toEqual([dayName(31)])
})

test.each([
  [
    'work',
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at) VALUES ($1, 1, $2, 'sms_mo', now(), now())`,
  ],
  [
    'held work',
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held) VALUES ($1, 1, $2, 'sms_mo', now(), now(), true)`,
  ],
  ['an unrouted event', `INSERT INTO inbox (account_id, event_id) VALUES ($1, $2)`],
  ['a parked event', `INSERT INTO parked (account_id, event_id, reason) VALUES ($1, $2, 'test')`],
  [
    'a running replay',
    `INSERT INTO replays (account_id, kind, selection, state, most_per_second, created_by, is_counted, created_at)
     SELECT $1, 'search', '{"kind":"search","search":{}}', 'running', 1, 'operator', true, now() - interval '1 day'
     WHERE $2::uuid IS NOT NULL`,
  ],
])('a day with %s stays until that has ended', async (_what, wait) => {
  await makePartitions(world.db, Date.now() - 32 * dayMs)
  const id = await oldEvent(31)
  await query(wait, account.accountId, id)
  const { kept, ended } = await retain()
  expect(kept.map(({ day }) => day)).toEqual([dayName(31)])
  expect(ended).toEqual([])
  expect(await days()).toEqual([dayName(31)])
  for (const table of ['work', 'inbox', 'parked']) await query(`DELETE FROM ${table}`)
  await query('UPDATE replays SET finished_at = now()')
  expect((await retain()).dropped.map(({ day }) => day)).toEqual([dayName(31)])
})

async function behindDays(): Promise<number> {
  return (await moveCleanupTime(world.db)).behindMs / dayMs
}

test('the cleanup time follows a leap of the clock by a day in twelve hours, and a clock set back at once', async () => {
  expect(await behindDays()).toBeCloseTo(0, 3)
  await query(`UPDATE cleanup_clock SET at = now() - interval '45 days'`)
  expect(await behindDays()).toBeCloseTo(44, 3)
  // However often it is asked for, by however many processes.
  expect(await behindDays()).toBeCloseTo(44, 3)
  await query(`UPDATE cleanup_clock SET leaped_at = now() - interval '13 hours'`)
  expect(await behindDays()).toBeCloseTo(43, 3)
  await query(
    `UPDATE cleanup_clock SET at = now() + interval '45 days', leaped_at = now() + interval '45 days'`,
  )
  expect(await behindDays()).toBeCloseTo(0, 3)
  await query(`UPDATE cleanup_clock SET at = now() - interval '20 hours'`)
  expect(await behindDays()).toBeCloseTo(0, 3)
})

test('intake makes the partitions of a day that has none', async () => {
  const gateway = await createGateway(world)
  for (const table of ['events', 'routes', 'deliveries', 'attempts'])
    await query(`DROP TABLE ${table}_${dayName(0)}`)
  const events = Array.from({ length: 5 }, () => gateway.handIn(inboundSms(account.accountId)))
  const statuses = (await Promise.all(events)).map(({ status }) => status)
  expect(statuses).toEqual([202, 202, 202, 202, 202])
  expect(await query(`SELECT to_regclass($1) IS NOT NULL AS found`, `deliveries_${dayName(0)}`)).toEqual([
    { found: true },
  ])
})

test('what was planned by a clock that was set back is due now', async () => {
  const { accountId } = account
  const insert = (hookId: number, due: string, more: string) =>
    query(
      `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held, lease, lease_until)
       VALUES ($1, $2, $3, 'sms_mo', now(), ${due}, ${more})`,
      accountId,
      hookId,
      randomUUID(),
    )
  const ahead = `now() + interval '45 days'`
  await insert(1, ahead, 'false, NULL, NULL')
  await insert(2, `now() + interval '28 hours'`, 'false, NULL, NULL')
  await insert(3, `'infinity'`, 'false, NULL, NULL')
  await insert(4, 'now()', `false, gen_random_uuid(), ${ahead}`)
  await query(
    `INSERT INTO lane (account_id, hook_id, due_at, not_before, recovered_at)
     VALUES ($1, 1, ${ahead}, ${ahead}, ${ahead}), ($1, 2, now() + interval '28 hours', '-infinity', NULL)`,
    accountId,
  )
  await query(
    `INSERT INTO inbox (account_id, event_id, taken_until) VALUES ($1, gen_random_uuid(), ${ahead})`,
    accountId,
  )
  await query(`INSERT INTO workers (id, seen_at) VALUES (gen_random_uuid(), ${ahead})`)
  await repairFutureTimes(world.db)
  const isDue = `due_at <= now() AS is_due, due_at = 'infinity' AS is_parked`
  expect(await query(`SELECT hook_id, ${isDue} FROM work ORDER BY 1`)).toEqual([
    { hook_id: 1, is_due: true, is_parked: false },
    { hook_id: 2, is_due: false, is_parked: false },
    { hook_id: 3, is_due: false, is_parked: true },
    { hook_id: 4, is_due: true, is_parked: false },
  ])
  expect(
    await query(
      `SELECT hook_id, greatest(due_at, not_before) <= now() AS is_due, recovered_at FROM lane ORDER BY 1`,
    ),
  ).toEqual([
    { hook_id: 1, is_due: true, recovered_at: null },
    { hook_id: 2, is_due: false, recovered_at: null },
  ])
  expect(
    await query(`SELECT FROM work WHERE lease IS NOT NULL AND lease_until > now() + interval '1 minute'`),
  ).toEqual([])
  expect(await query('SELECT FROM inbox WHERE taken_until IS NOT NULL')).toEqual([])
  expect(await query('SELECT FROM workers WHERE seen_at > now()')).toEqual([])
})
