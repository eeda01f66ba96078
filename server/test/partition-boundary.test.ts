/** Events whose ids lie at midnight, where one day's partition ends and the next begins, routed by two workers at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { startWorld, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

const dayMs = 24 * 60 * 60 * 1_000
const settings = { ALLOW_PRIVATE_TARGETS: 'true' }

let world: TestWorld
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld(settings, 'worker')
  await world.startAnother(settings, 'worker')
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

test('the last and the first event of a day, routed by two workers at once, are delivered once', async () => {
  const { query } = world.database
  const { accountId } = await world.account()
  await query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     VALUES ($1, $2, $2, 'all', 'JSON', sha256('1'))`,
    [accountId, receiver.url('/midnight')],
  )
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const last = uuid(midnight - 1, '7fff-bfff-ffffffffffff')
  const first = uuid(midnight, '7000-8000-000000000000')

  // Whoever takes them waits for this lock with the route commit, until both workers have taken both events.
  const lock = new Client({ connectionString: world.database.url.href })
  await lock.connect()
  await lock.query('BEGIN; LOCK TABLE work IN SHARE MODE')
  await query(
    `WITH given AS (SELECT unnest($2::uuid[]) AS id), known AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, id, 'sms_mo', '{}', 1, now() FROM given
     )
     INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM given`,
    [accountId, [last, first]],
  )
  await untilTaken(1)
  await query('UPDATE inbox SET taken_until = NULL')
  await untilTaken(2)
  await lock.query('COMMIT')
  await lock.end()

  await receiver.until((requests) => requests.length >= 2, 30_000)
  await untilNothingIsLeft()
  expect(receiver.requests.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual([
    last,
    first,
  ])
  expect(await ledger('deliveries')).toEqual([
    { id: last, day: dayName(midnight - dayMs) },
    { id: first, day: dayName(midnight) },
  ])
  expect(await ledger('attempts')).toEqual(await ledger('deliveries'))
})

async function untilTaken(times: number): Promise<void> {
  while ((await world.database.query('SELECT FROM inbox WHERE tries = $1', [times])).length < 2)
    await sleep(5)
}

async function untilNothingIsLeft(): Promise<void> {
  while (
    (await world.database.query('SELECT event_id FROM inbox UNION SELECT event_id FROM work')).length > 0
  )
    await sleep(20)
}

/** Ids in a table of the ledger, with the day of the partition that each lies in. */
async function ledger(table: string): Promise<object[]> {
  return world.database.query(
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
