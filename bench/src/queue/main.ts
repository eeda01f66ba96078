/**
 * `npm run bench -- queue`: measures the queue at full size: 1,000,000 pending deliveries. One hook has 200,000 that
 * are all due, the others have one each. Times claim, route and settle, and the latency of small hooks beside the large
 * one.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { startReceiver } from '../../../dev/receiver.ts'
import { startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { createPartitions } from '../../../server/src/ledger/partitions.ts'
import { claimDue, type ClaimedDelivery } from '../../../server/src/delivery/queue/claim.ts'
import { commitRoute } from '../../../server/src/delivery/queue/commit-route.ts'
import { settleDelivered } from '../../../server/src/delivery/queue/settle-delivered.ts'
import { createBenchDatabase } from '../support/database.ts'
import { percentile } from '../support/load.ts'

const rounds = 50
const batch = 64
const smallHooks = 500
const hooksPerAccount = 10

interface Size {
  /** Number of pending deliveries. Each hook has one, except the large hook. */
  pending: number
  largeHookRows: number
}

export async function queueBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pending: { type: 'string', default: '1000000' },
      large: { type: 'string', default: '200000' },
    },
  })
  const size = { pending: Number(values.pending), largeHookRows: Number(values.large) }
  const { DATABASE_URL } = await startServices(console.log)
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_bench_queue')
  try {
    const receiver = await startReceiver()
    console.log(`Seeding ${size.pending} pending deliveries, ${size.largeHookRows} of them of one hook …`)
    const db = openDatabase(url, 4, () => {})
    await createPartitions(db, Date.now())
    await seed(client, size, receiver.url('/'))

    await timeStatements(db)
    await db.destroy()
    await serveSmallHooks(client, url, receiver)
    await receiver.close()
  } finally {
    await drop()
  }
}

/** Seeds pending rows: those of the large hook are due, the others are retries that are due in hours. */
async function seed(client: Client, { pending, largeHookRows }: Size, address: string): Promise<void> {
  const retries = pending - largeHookRows
  const accounts = Math.ceil(pending / hooksPerAccount)
  await client.query(
    "INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(1, $1::integer) AS n",
    [accounts],
  )
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT 1 + n % $2::integer, $3, $3, 'sms_mo', 'JSON', uuid_send(gen_random_uuid())
     FROM generate_series(1, $1::integer) AS n`,
    [pending, accounts, address],
  )
  await client.query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT CASE WHEN n <= $2::integer THEN 1 ELSE 1 + n % $3::integer END, uuid_v7(now()), 'sms_mo',
            '{"id":"1","sender":"491","system":"492","text":"' || repeat('x', 200) || '","time":"1"}', 1, now()
     FROM generate_series(1, $1::integer) AS n`,
    [pending, largeHookRows, accounts],
  )
  await client.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
     SELECT account_id, CASE WHEN n <= $1::integer THEN (SELECT min(id) FROM hooks WHERE account_id = 1)
                             ELSE 1000000000 + n END,
            id, type, accepted_at, CASE WHEN n <= $1::integer THEN now() ELSE now() + interval '3 hours' END, 1
     FROM (SELECT *, row_number() OVER (ORDER BY account_id <> 1) AS n FROM events) AS events`,
    [largeHookRows],
  )
  await client.query('INSERT INTO lane SELECT account_id, hook_id, min(due_at) FROM work GROUP BY 1, 2')
  await client.query('VACUUM ANALYZE')
  const { rows } = await client.query<{ lanes: string; rows: string }>(
    'SELECT (SELECT count(*) FROM lane) AS lanes, (SELECT count(*) FROM work) AS rows',
  )
  console.log(`${rows[0]?.rows} rows in work, ${rows[0]?.lanes} lanes, ${retries} due in hours`)
}

async function timeStatements(db: ReturnType<typeof openDatabase>): Promise<void> {
  const times = new Map<string, number[]>([
    ['claim', []],
    ['settle', []],
    ['route', []],
  ])
  const timed = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    const response = await act()
    times.get(name)?.push(performance.now() - started)
    return response
  }
  for (let round = 0; round < rounds; round++) {
    const lease = { id: randomUUID(), seconds: 30 }
    const { deliveries: claimed } = await timed('claim', () =>
      claimDue(db, batch, lease, { hooks: [], accounts: [], hosts: [] }),
    )
    await timed('settle', () =>
      settleDelivered(
        db,
        'bench',
        claimed.map((row) => delivered(row, lease.id)),
      ),
    )
    const events = claimed.map(fresh)
    await timed('route', () => commitRoute(db, events, lease))
  }
  console.log(`\nmilliseconds per statement, ${rounds} times, up to ${batch} rows each`)
  for (const [name, samples] of times) {
    const sorted = samples.toSorted((a, b) => a - b)
    const values = [0.5, 0.9, 1].map((ratio) => percentile(sorted, ratio).toFixed(1).padStart(7))
    console.log(`${name.padEnd(7)} p50 ${values[0]}  p90 ${values[1]}  max ${values[2]}`)
  }
}

function delivered(row: ClaimedDelivery, lease: string) {
  return {
    ...row,
    lease,
    host: '127.0.0.1',
    attempts: row.attempts + 1,
    next: { state: 'delivered', reason: 'delivered' } as const,
    attempt: {
      number: row.attempts + 1,
      startedAt: new Date(),
      outcome: { reason: 'delivered', status: 204, timings: { totalMs: 5 } } as const,
    },
  }
}

/**
 * Returns an event that is not in the inbox, so that the route adds no rows. The time is that of the statement alone.
 */
function fresh(row: ClaimedDelivery) {
  const { accountId, type, data, acceptedAt } = row
  const event = { id: randomUUID(), accountId, type, data, acceptedAt }
  const match = {
    hookId: row.hookId,
    host: '127.0.0.1',
    disposition: 'due' as const,
    isStartingSlowly: false,
  }
  return { event, version: row.version, stopsVersion: row.stopsVersion, matches: [match] }
}

/** Runs a worker that drains the large hook while small hooks become due one after another. */
async function serveSmallHooks(
  client: Client,
  url: URL,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): Promise<void> {
  const env = {
    DATABASE_URL: url.href,
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALLOW_PRIVATE_TARGETS: 'true',
  }
  const worker = await startProcess(env, 'worker')
  try {
    await receiver.until((received) => received.length > 500, 30_000)
    const dueAt = new Map<string, number>()
    for (let count = 0; count < smallHooks; count++) {
      const { rows } = await client.query<{ event_id: string }>(
        `WITH added AS (
         INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
         SELECT hooks.account_id, hooks.id, events.id, 'sms_mo', now(), now(), 1
         FROM (SELECT * FROM hooks WHERE account_id = $1 ORDER BY id LIMIT 1) AS hooks
         JOIN LATERAL (SELECT id FROM events WHERE account_id = hooks.account_id LIMIT 1) AS events ON true
         ON CONFLICT DO NOTHING RETURNING *
       ), scheduled AS (
         INSERT INTO lane SELECT account_id, hook_id, due_at FROM added
         ON CONFLICT (account_id, hook_id) DO UPDATE SET due_at = excluded.due_at
       ) SELECT event_id FROM added`,
        [2 + count],
      )
      if (rows[0] !== undefined) dueAt.set(rows[0].event_id, Date.now())
      await sleep(10)
    }
    const arrivedAt = new Map<string, number>()
    const areAllServed = (): boolean => {
      for (const request of receiver.requests) {
        const id = String(request.headers['webhook-id'])
        if (dueAt.has(id) && !arrivedAt.has(id)) arrivedAt.set(id, request.at)
      }
      return arrivedAt.size === dueAt.size
    }
    await receiver.until(areAllServed, 60_000)
    report(dueAt, arrivedAt)
  } finally {
    worker.child.kill('SIGKILL')
  }
}

function report(dueAt: Map<string, number>, arrivedAt: Map<string, number>): void {
  const waits = [...dueAt].map(([id, at]) => (arrivedAt.get(id) ?? Number.NaN) - at).toSorted((a, b) => a - b)
  const [p50, p99, maxMs] = [0.5, 0.99, 1].map((ratio) => percentile(waits, ratio))
  console.log(
    `\n${waits.length} small hooks beside the large one: from due to arrival p50 ${p50} ms, p99 ${p99} ms, max ${maxMs} ms`,
  )
  if (waits.length < smallHooks / 2 || !((maxMs ?? Number.NaN) <= 2_000)) {
    console.error('A small hook waited longer than 2 s.')
    process.exitCode = 1
  }
}
