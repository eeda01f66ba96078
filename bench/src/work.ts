/**
 * The hot tables at their final size: a million waiting deliveries over a million hooks, one of which owns 200,000 that
 * are all due. How long do a claim, a route and a settlement take, and how soon is a small hook served beside the large one?
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { startReceiver } from '../../dev/receiver.ts'
import { startProcess } from '../../dev/service-process.ts'
import { startServices } from '../../dev/services.ts'
import { openDatabase } from '../../server/src/db/database.ts'
import { makePartitions } from '../../server/src/pipeline/ledger/partitions.ts'
import { claimDue, type ClaimedDelivery } from '../../server/src/pipeline/work/claim.ts'
import { commitRoute } from '../../server/src/pipeline/work/commit-route.ts'
import { settle } from '../../server/src/pipeline/work/settle.ts'
import { createBenchDatabase } from './database.ts'
import { percentile } from './load.ts'

const rounds = 50
const batch = 64
const smallHooks = 500
const hooksAnAccount = 10

interface Size {
  /** Waiting deliveries, and hooks that have one each but for those of the large hook. */
  waiting: number
  ofLargeHook: number
}

export async function workBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      waiting: { type: 'string', default: '1000000' },
      large: { type: 'string', default: '200000' },
    },
  })
  const size = { waiting: Number(values.waiting), ofLargeHook: Number(values.large) }
  const { DATABASE_URL } = await startServices(console.log)
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_bench_work')
  try {
    const receiver = await startReceiver()
    console.log(`Filling: ${size.waiting} waiting deliveries, ${size.ofLargeHook} of them of one hook …`)
    const db = openDatabase(url, 4, () => {})
    await makePartitions(db, Date.now())
    await fill(client, size, receiver.url('/'))

    await timeStatements(db)
    await db.destroy()
    await serveSmallHooks(client, url, receiver)
    await receiver.close()
  } finally {
    await drop()
  }
}

/** All rows wait: those of the large hook are due, the others are retries parked for hours. */
async function fill(client: Client, { waiting, ofLargeHook }: Size, address: string): Promise<void> {
  const parked = waiting - ofLargeHook
  const accounts = Math.ceil(waiting / hooksAnAccount)
  await client.query(
    "INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(1, $1::integer) AS n",
    [accounts],
  )
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT 1 + n % $2::integer, $3, $3, 'sms_mo', 'JSON', uuid_send(gen_random_uuid())
     FROM generate_series(1, $1::integer) AS n`,
    [waiting, accounts, address],
  )
  await client.query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT CASE WHEN n <= $2::integer THEN 1 ELSE 1 + n % $3::integer END, uuid_v7(now()), 'sms_mo',
            '{"id":"1","sender":"491","system":"492","text":"' || repeat('x', 200) || '","time":"1"}', 1, now()
     FROM generate_series(1, $1::integer) AS n`,
    [waiting, ofLargeHook, accounts],
  )
  await client.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
     SELECT account_id, CASE WHEN n <= $1::integer THEN (SELECT min(id) FROM hooks WHERE account_id = 1)
                             ELSE 1000000000 + n END,
            id, type, accepted_at, CASE WHEN n <= $1::integer THEN now() ELSE now() + interval '3 hours' END, 1
     FROM (SELECT *, row_number() OVER (ORDER BY account_id <> 1) AS n FROM events) AS events`,
    [ofLargeHook],
  )
  await client.query('INSERT INTO lane SELECT account_id, hook_id, min(due_at) FROM work GROUP BY 1, 2')
  await client.query('VACUUM ANALYZE')
  const { rows } = await client.query<{ lanes: string; rows: string }>(
    'SELECT (SELECT count(*) FROM lane) AS lanes, (SELECT count(*) FROM work) AS rows',
  )
  console.log(`${rows[0]?.rows} rows in work, ${rows[0]?.lanes} lanes, ${parked} parked`)
}

async function timeStatements(db: ReturnType<typeof openDatabase>): Promise<void> {
  const times = new Map<string, number[]>([
    ['claim', []],
    ['settle', []],
    ['route', []],
  ])
  const timed = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    const answer = await act()
    times.get(name)?.push(performance.now() - started)
    return answer
  }
  for (let round = 0; round < rounds; round++) {
    const lease = { id: randomUUID(), seconds: 30 }
    const { deliveries: claimed } = await timed('claim', () =>
      claimDue(db, batch, lease, { hooks: [], accounts: [], hosts: [] }),
    )
    await timed('settle', () =>
      settle(
        db,
        'bench',
        claimed.map((row) => delivered(row, lease.id)),
      ),
    )
    const events = claimed.map(fresh)
    await timed('route', () => commitRoute(db, events, lease))
  }
  console.log(`\nmilliseconds for a statement, ${rounds} times, up to ${batch} rows each`)
  for (const [name, own] of times) {
    const sorted = own.toSorted((a, b) => a - b)
    const figures = [0.5, 0.9, 1].map((share) => percentile(sorted, share).toFixed(1).padStart(7))
    console.log(`${name.padEnd(7)} p50 ${figures[0]}  p90 ${figures[1]}  max ${figures[2]}`)
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

/** Not in the inbox, so nothing is added: what is timed is the statement over full tables. */
function fresh(row: ClaimedDelivery) {
  const { accountId, type, data, acceptedAt } = row
  const event = { id: randomUUID(), accountId, type, data, acceptedAt }
  const match = { hookId: row.hookId, host: '127.0.0.1', becomes: 'due' as const, isStartingSlowly: false }
  return { event, version: row.version, stopsVersion: row.stopsVersion, matches: [match] }
}

/** A real worker drains the large hook; small hooks fall due meanwhile, one after the other. */
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
    await receiver.until((got) => got.length > 500, 30_000)
    const dueAt = new Map<string, number>()
    for (let count = 0; count < smallHooks; count++) {
      const { rows } = await client.query<{ event_id: string }>(
        `WITH moved AS (
         INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
         SELECT hooks.account_id, hooks.id, events.id, 'sms_mo', now(), now(), 1
         FROM (SELECT * FROM hooks WHERE account_id = $1 ORDER BY id LIMIT 1) AS hooks
         JOIN LATERAL (SELECT id FROM events WHERE account_id = hooks.account_id LIMIT 1) AS events ON true
         ON CONFLICT DO NOTHING RETURNING *
       ), turn AS (
         INSERT INTO lane SELECT account_id, hook_id, due_at FROM moved
         ON CONFLICT (account_id, hook_id) DO UPDATE SET due_at = excluded.due_at
       ) SELECT event_id FROM moved`,
        [2 + count],
      )
      if (rows[0] !== undefined) dueAt.set(rows[0].event_id, Date.now())
      await sleep(10)
    }
    const arrivedAt = new Map<string, number>()
    const isServed = (): boolean => {
      for (const request of receiver.requests) {
        const id = String(request.headers['webhook-id'])
        if (dueAt.has(id) && !arrivedAt.has(id)) arrivedAt.set(id, request.at)
      }
      return arrivedAt.size === dueAt.size
    }
    await receiver.until(isServed, 60_000)
    report(dueAt, arrivedAt)
  } finally {
    worker.child.kill('SIGKILL')
  }
}

function report(dueAt: Map<string, number>, arrivedAt: Map<string, number>): void {
  const waits = [...dueAt].map(([id, at]) => (arrivedAt.get(id) ?? Number.NaN) - at).toSorted((a, b) => a - b)
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(waits, share))
  console.log(
    `\n${waits.length} small hooks beside the large one: from due to received p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
  )
  if (waits.length < smallHooks / 2 || !((longest ?? Number.NaN) <= 2_000)) {
    console.error('A small hook waited longer than 2 s.')
    process.exitCode = 1
  }
}
