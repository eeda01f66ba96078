/** Tests events with ids at midnight, at the boundary of two partitions, routed by two workers concurrently. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 90_000 })

const dayMs = 24 * 60 * 60 * 1_000
const settings = { ALLOW_PRIVATE_TARGETS: 'true' }

let hookline: TestService
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService(settings, 'worker')
  await hookline.startAnother(settings, 'worker')
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

test('the last and the first event of a day, routed by two workers concurrently, are delivered once', async () => {
  const { query } = hookline.database
  const { accountId } = await hookline.account()
  await query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     VALUES ($1, $2, $2, 'all', 'JSON', sha256('1'))`,
    [accountId, receiver.url('/midnight')],
  )
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const last = uuid(midnight - 1, '7fff-bfff-ffffffffffff')
  const first = uuid(midnight, '7000-8000-000000000000')

  // The route commit waits for this lock, until both workers have claimed both events.
  const lock = new Client({ connectionString: hookline.database.url.href })
  await lock.connect()
  await lock.query('BEGIN; LOCK TABLE work IN SHARE MODE')
  await query(
    `WITH ids AS (SELECT unnest($2::uuid[]) AS id), created AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, id, 'sms_mo', '{}', 1, now() FROM ids
     )
     INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM ids`,
    [accountId, [last, first]],
  )
  await untilClaimed(1)
  await query('UPDATE inbox SET taken_until = NULL')
  await untilClaimed(2)
  await lock.query('COMMIT')
  await lock.end()

  await receiver.until((requests) => requests.length >= 2, 30_000)
  await untilFinished()
  expect(receiver.requests.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual([
    last,
    first,
  ])
  expect(await ledger('deliveries')).toEqual([
    { id: last, day: dayName(midnight - dayMs) },
    { id: first, day: dayName(midnight) },
  ])
})

async function untilClaimed(times: number): Promise<void> {
  while ((await hookline.database.query('SELECT FROM inbox WHERE tries = $1', [times])).length < 2)
    await sleep(5)
}

async function untilFinished(): Promise<void> {
  while (
    (await hookline.database.query('SELECT event_id FROM inbox UNION SELECT event_id FROM work')).length > 0
  )
    await sleep(20)
}

/** Returns the ids in a table of the ledger, with the day of their partition. */
async function ledger(table: string): Promise<object[]> {
  return hookline.database.query(
    `SELECT event_id AS id, right(tableoid::regclass::text, 8) AS day FROM ${table} ORDER BY event_id`,
  )
}

function uuid(at: number, rest: string): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest}`
}

function dayName(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
}
