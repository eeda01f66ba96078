/** Hourly counts are exact, whatever happens while workers add them up. */
import { Client } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { expireHeld } from '../../src/delivery/queue/finish.ts'
import { addCounts } from '../../src/stats/add-counts.ts'
import { pruneRollups } from '../../src/stats/prune-rollups.ts'
import { waitForCounts } from '../support/counts.ts'
import { createGateway, inboundSms } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let receiver: Receiver
beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})
beforeEach(() => hookline.database.query('TRUNCATE rollup_deltas, rollups, event_rollups'))

function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(text, values)
}

const hooks = 40

/** Inserts the rows of some commits: a delivery to each hook, or an event of each account. */
async function insertDeltas(commits: number, age = '0 hours'): Promise<void> {
  await sql`
    INSERT INTO rollup_deltas (hour, account_ids, hook_ids, counts)
    SELECT date_trunc('hour', now()) - ${age}::interval, array_agg(1 + n % 2),
           CASE WHEN commit % 2 = 0 THEN array_agg(n) END, array_agg(1 + n % 3)
    FROM generate_series(1, ${commits}::integer) AS commit, generate_series(1, ${hooks}::integer) AS n GROUP BY commit
  `.execute(hookline.db)
}

interface Counts {
  delivered: number
  attempts: number
  events: number
}

async function readCounts(): Promise<Counts | undefined> {
  const [counts] = await query<Counts>(
    `SELECT (SELECT coalesce(sum(delivered), 0)::integer FROM rollups) AS delivered,
            (SELECT coalesce(sum(attempts), 0)::integer FROM rollups) AS attempts,
            (SELECT coalesce(sum(events), 0)::integer FROM event_rollups) AS events`,
  )
  return counts
}

/** The counts of deltas, computed separately: hook n has 1 + n % 3 of each commit. */
function countsOf(commits: number): Counts {
  const perCommit = Array.from({ length: hooks }, (_, index) => 1 + ((index + 1) % 3)).reduce((a, b) => a + b)
  const half = (commits / 2) * perCommit
  return { delivered: half, attempts: half, events: half }
}

test('several workers that add counts at once, while more arrive, add each of them once', async () => {
  const commits = 4_000
  const inserting = new AbortController()
  const insertAll = async () => {
    for (let inserted = 0; inserted < commits; inserted += 20) await insertDeltas(20)
    inserting.abort()
  }
  const addUntilEnd = async () => {
    while (!inserting.signal.aborted) await addCounts(hookline.db)
  }
  await Promise.all([insertAll(), addUntilEnd(), addUntilEnd(), addUntilEnd()])
  await addCounts(hookline.db)
  expect(await query('SELECT FROM rollup_deltas')).toEqual([])
  expect(await readCounts()).toEqual(countsOf(commits))
  expect(
    await query(
      'SELECT account_id, sum(delivered)::integer AS delivered FROM rollups WHERE hook_id = 3 GROUP BY 1',
    ),
  ).toEqual([{ account_id: 2, delivered: commits / 2 }])
})

async function lockRollup(): Promise<Client> {
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  await client.query('BEGIN')
  await client.query('SELECT FROM rollups WHERE hook_id = 20 FOR UPDATE')
  return client
}

function waitingBackends(): Promise<Array<{ pid: number }>> {
  return query(
    `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  )
}

test('a worker that dies while it adds counts adds nothing, and the next one adds all', async () => {
  await insertDeltas(10)
  await addCounts(hookline.db)
  await insertDeltas(100)
  const other = await lockRollup()
  const adding = expect(addCounts(hookline.db)).rejects.toThrow()
  await expect.poll(waitingBackends).toHaveLength(1)
  // Another worker does not wait for it, and adds nothing.
  await addCounts(hookline.db)
  expect(await waitingBackends()).toHaveLength(1)
  for (const { pid } of await waitingBackends()) await query('SELECT pg_terminate_backend($1)', pid)
  await adding
  await other.query('ROLLBACK')
  expect(await readCounts()).toEqual(countsOf(10))
  expect(await query('SELECT FROM rollup_deltas')).toHaveLength(100)
  await addCounts(hookline.db)
  expect(await readCounts()).toEqual(countsOf(110))
})

test('counts of other outcomes are written at the same time, without a deadlock', async () => {
  const rounds = 40
  for (let round = 0; round < rounds; round++) {
    await insertDeltas(10)
    await query(
      `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
       SELECT 1 + n % 2, n, uuid_v7(now()), 'sms_mo', now() - interval '8 days', now(), true
       FROM generate_series($1::integer, 1, -1) AS n`,
      hooks,
    )
    await Promise.all([
      addCounts(hookline.db),
      expireHeld(hookline.db, new Date()),
      addCounts(hookline.db),
      expireHeld(hookline.db, new Date()),
    ])
  }
  await addCounts(hookline.db)
  expect(await readCounts()).toEqual(countsOf(10 * rounds))
  expect(await query('SELECT sum(expired)::integer AS expired FROM rollups')).toEqual([
    { expired: rounds * hooks },
  ])
})

test('counts that are added after their retention are pruned', async () => {
  await insertDeltas(2, '40 days')
  await insertDeltas(2)
  await addCounts(hookline.db)
  expect(await readCounts()).toEqual(countsOf(4))
  await pruneRollups(hookline.db, Date.now())
  expect(await readCounts()).toEqual(countsOf(2))
})

test('counts equal the ledger, also after a worker was killed', async () => {
  const gateway = await createGateway(hookline)
  const accounts = await Promise.all(Array.from({ length: 3 }, () => hookline.account()))
  for (const { key } of accounts)
    for (const path of ['/first', '/second']) {
      const form = { target_url: receiver.url(path), event_type: 'sms_mo' }
      await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
    }
  const killed = await hookline.startAnother({}, 'worker')
  const worker = await hookline.startAnother({}, 'worker')
  for (let batch = 0; batch < 60; batch++) {
    await gateway.submitEvents(
      ...accounts.flatMap(({ accountId }) => [inboundSms(accountId), inboundSms(accountId)]),
    )
    if (batch === 30) killed.child.kill('SIGKILL')
  }
  // Leases of the running worker expire too. Deliveries that are then sent twice count once.
  await query('UPDATE work SET lease_until = now() WHERE lease IS NOT NULL')
  const remaining = () => query('SELECT event_id FROM inbox UNION ALL SELECT event_id FROM work')
  await expect.poll(remaining, { timeout: 90_000 }).toEqual([])
  await waitForCounts(hookline)
  await worker.stop()
  const counted = await query(
    'SELECT account_id, hook_id, hour, delivered::integer, attempts::integer FROM rollups ORDER BY 1, 2, 3',
  )
  expect(counted.length).toBeGreaterThanOrEqual(6)
  expect(counted).toEqual(
    await query(
      `SELECT account_id, hook_id, date_trunc('hour', finished_at) AS hour, count(*)::integer AS delivered,
              count(*)::integer AS attempts
       FROM deliveries WHERE state = 'delivered' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ),
  )
  expect(
    await query('SELECT account_id, sum(events)::integer AS events FROM event_rollups GROUP BY 1 ORDER BY 1'),
  ).toEqual(accounts.map(({ accountId }) => ({ account_id: accountId, events: 120 })))
})
