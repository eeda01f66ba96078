/** Limits on dropped partitions per run, independent of the clock, and recovery after a wrong clock. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { dayMs } from '../../src/model/day.ts'
import { advanceCleanupTime } from '../../src/ledger/cleanup-time.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { type DroppedDay, dropOldPartitions, type KeptDay } from '../../src/ledger/retention.ts'
import { claimDue } from '../../src/delivery/queue/claim.ts'
import { repairFutureTimes } from '../../src/delivery/queue/clock-set-back.ts'
import { recordFailures } from '../../src/delivery/queue/failure-streaks.ts'
import type { Settlement } from '../../src/delivery/queue/settle.ts'
import { readPendingOfDay } from '../../src/delivery/queue/pending-of-day.ts'
import { createGateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 90_000 })

let hookline: TestService
let account: TestAccount
beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  account = await hookline.account()
})
afterAll(() => hookline.close())
beforeEach(async () => {
  await query('DELETE FROM work')
  await query('DELETE FROM inbox')
  await query('DELETE FROM parked')
  await query('UPDATE replays SET finished_at = now()')
  await advanceOneHour()
})

function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(text, values)
}

const retentionDays = 30

async function advanceOneHour(): Promise<void> {
  await query(`UPDATE cleanup_clock SET dropped_at = dropped_at - interval '1 hour'`)
}

function dayName(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Inserts an event accepted `daysAgo` days ago; its partition must exist. */
async function insertOldEvent(daysAgo: number): Promise<string> {
  const [row] = await query<{ id: string }>(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at FROM (SELECT now() - make_interval(days => $2) AS at) AS t RETURNING id`,
    account.accountId,
    daysAgo,
  )
  return row?.id ?? ''
}

async function oldDays(): Promise<string[]> {
  const rows = await query<{ day: string }>(
    `SELECT right(relname, 8) AS day FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = 'events'::regclass AND right(relname, 8) < $1 ORDER BY 1`,
    dayName(retentionDays),
  )
  return rows.map(({ day }) => day)
}

async function runRetention(): Promise<{ dropped: DroppedDay[]; kept: KeptDay[]; expired: Date[] }> {
  const [dropped, kept, expired] = [[] as DroppedDay[], [] as KeptDay[], [] as Date[]]
  await dropOldPartitions(
    {
      db: hookline.db,
      retentionDays,
      readPending: (day) => readPendingOfDay(hookline.db, day, retentionDays),
      expirePending: async (before) => void expired.push(before),
      onDropped: (day) => dropped.push(day),
      onKept: (day) => kept.push(day),
    },
    new Date(),
  )
  return { dropped, kept, expired }
}

test('one day with events is dropped per hour, and its row counts are reported', async () => {
  await createPartitions(hookline.db, Date.now() - 34 * dayMs)
  for (const daysAgo of [33, 33, 32, 31]) await insertOldEvent(daysAgo)
  const { dropped, kept } = await runRetention()
  expect(kept).toEqual([])
  // Empty days do not count.
  expect(dropped.map(({ day }) => day)).toEqual([dayName(35), dayName(34), dayName(33)])
  expect(dropped.at(-1)?.rows).toEqual({
    [`events_${dayName(33)}`]: 2,
    [`routes_${dayName(33)}`]: 0,
    [`deliveries_${dayName(33)}`]: 0,
    [`attempts_${dayName(33)}`]: 0,
  })
  expect(await oldDays()).toEqual([dayName(32), dayName(31)])
  // A second run within the hour drops nothing.
  expect((await runRetention()).dropped).toEqual([])
  await advanceOneHour()
  expect((await runRetention()).dropped.map(({ day }) => day)).toEqual([dayName(32)])
  await advanceOneHour()
  expect((await runRetention()).dropped.map(({ day }) => day)).toEqual([dayName(31)])
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
    `INSERT INTO replays (account_id, kind, selection, state, max_per_second, created_by, is_counted, created_at)
     SELECT $1, 'search', '{"kind":"search","search":{}}', 'running', 1, 'operator', true, now() - interval '1 day'
     WHERE $2::uuid IS NOT NULL`,
  ],
])('a day with %s is kept until it has finished', async (_what, insert) => {
  await createPartitions(hookline.db, Date.now() - 32 * dayMs)
  const id = await insertOldEvent(31)
  await query(insert, account.accountId, id)
  const { kept, expired } = await runRetention()
  expect(kept.map(({ day }) => day)).toEqual([dayName(31)])
  expect(expired).toEqual([])
  expect(await oldDays()).toEqual([dayName(31)])
  for (const table of ['work', 'inbox', 'parked']) await query(`DELETE FROM ${table}`)
  await query('UPDATE replays SET finished_at = now()')
  expect((await runRetention()).dropped.map(({ day }) => day)).toEqual([dayName(31)])
})

async function cleanupLagDays(): Promise<number> {
  return (await advanceCleanupTime(hookline.db)).behindMs / dayMs
}

test('the cleanup time follows a clock jump by one day per 12 hours, and a clock set back immediately', async () => {
  expect(await cleanupLagDays()).toBeCloseTo(0, 3)
  await query(`UPDATE cleanup_clock SET at = now() - interval '45 days'`)
  expect(await cleanupLagDays()).toBeCloseTo(44, 3)
  // Repeated calls do not advance the time.
  expect(await cleanupLagDays()).toBeCloseTo(44, 3)
  await query(`UPDATE cleanup_clock SET leaped_at = now() - interval '13 hours'`)
  expect(await cleanupLagDays()).toBeCloseTo(43, 3)
  await query(
    `UPDATE cleanup_clock SET at = now() + interval '45 days', leaped_at = now() + interval '45 days'`,
  )
  expect(await cleanupLagDays()).toBeCloseTo(0, 3)
  await query(`UPDATE cleanup_clock SET at = now() - interval '20 hours'`)
  expect(await cleanupLagDays()).toBeCloseTo(0, 3)
})

test('intake creates missing partitions', async () => {
  const gateway = await createGateway(hookline)
  for (const table of ['events', 'routes', 'deliveries', 'attempts'])
    await query(`DROP TABLE ${table}_${dayName(0)}`)
  const events = Array.from({ length: 5 }, () => gateway.submitEvents(inboundSms(account.accountId)))
  const statuses = (await Promise.all(events)).map(({ status }) => status)
  expect(statuses).toEqual([202, 202, 202, 202, 202])
  expect(await query(`SELECT to_regclass($1) IS NOT NULL AS found`, `deliveries_${dayName(0)}`)).toEqual([
    { found: true },
  ])
})

test('future times of a clock that was set back become due now', async () => {
  const { accountId } = account
  const insert = (hookId: number, due: string, more: string) =>
    query(
      `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held, lease, lease_until)
       VALUES ($1, $2, $3, 'sms_mo', now(), ${due}, ${more})`,
      accountId,
      hookId,
      randomUUID(),
    )
  const future = `now() + interval '45 days'`
  await insert(1, future, 'false, NULL, NULL')
  await insert(2, `now() + interval '28 hours'`, 'false, NULL, NULL')
  await insert(3, `'infinity'`, 'false, NULL, NULL')
  await insert(4, 'now()', `false, gen_random_uuid(), ${future}`)
  await query(
    `INSERT INTO lane (account_id, hook_id, due_at, not_before, recovered_at)
     VALUES ($1, 1, ${future}, ${future}, ${future}), ($1, 2, now() + interval '28 hours', '-infinity', NULL)`,
    accountId,
  )
  await query(
    `INSERT INTO inbox (account_id, event_id, taken_until) VALUES ($1, gen_random_uuid(), ${future})`,
    accountId,
  )
  await query(`INSERT INTO workers (id, seen_at) VALUES (gen_random_uuid(), ${future})`)
  await repairFutureTimes(hookline.db)
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

test('a recovering lane continues after the clock was set back by an hour', async () => {
  const { accountId } = account
  const id = await insertOldEvent(0)
  await query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at)
     SELECT account_id, 77, id, type, accepted_at, now() FROM events WHERE id = $1`,
    id,
  )
  await query('DELETE FROM lane')
  await query(
    `INSERT INTO lane (account_id, hook_id, due_at, recovered_at) VALUES ($1, 77, now(), now() + interval '1 hour')`,
    accountId,
  )
  const claim = () =>
    claimDue(hookline.db, 64, { id: randomUUID(), seconds: 30 }, { hooks: [], accounts: [], hosts: [] })
  expect((await claim()).deliveries).toMatchObject([{ eventId: id, recoveredMs: 0 }])
  await repairFutureTimes(hookline.db)
  expect(await query('SELECT FROM lane WHERE recovered_at > now()')).toEqual([])
})

test('failures are counted after the clock was set back by half an hour', async () => {
  const { accountId } = account
  await query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts, failures, successes, counted_at)
     VALUES ($1, 78, now(), 3, 3, 0, now() + interval '30 minutes')`,
    accountId,
  )
  const settlement: Settlement = {
    accountId,
    hookId: 78,
    eventId: randomUUID(),
    round: 1,
    lease: randomUUID(),
    attempts: 1,
    faults: 0,
    host: '',
    next: { state: 'waiting', delayMs: 1, isRetryAfter: false },
    attempt: {
      number: 1,
      startedAt: new Date(),
      outcome: { reason: 'status', status: 500, timings: { totalMs: 1 } },
    },
  }
  await recordFailures(hookline.db, [settlement], [{ isSettled: true, wasFailing: true, isOpen: false }])
  expect(await query('SELECT attempts, failures FROM hook_failures WHERE hook_id = 78')).toEqual([
    { attempts: 4, failures: 4 },
  ])
})
