/**
 * `npm run prove -- replay`: replays failed deliveries while workers and the api are killed. Each delivery must arrive
 * and must have exactly one further round, and the counts of the replay must match. Only deliveries that a killed
 * worker had in flight may arrive twice.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createPartitions } from '../../../server/src/ledger/partitions.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'
import { createCleanup } from '../support/cleanup.ts'

const hooks = 4
const workerCount = 3
/** Limit of concurrent requests per hook over all workers. */
const maxInFlightPerHook = 16

interface Replay {
  state: string
  total: number
  started: number
  skipped: number
  delivered: number
  failed: number
}

export async function proveReplay(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      deliveries: { type: 'string', default: '100000' },
      rate: { type: 'string', default: '1000' },
      kills: { type: 'string', default: '4' },
    },
  })
  const count = Number(values.deliveries)
  const cleanup = createCleanup()
  try {
    const violations = await execute(count, Number(values.rate), Number(values.kills), cleanup.push)
    for (const violation of violations) console.log(`  ✗ ${violation}`)
    console.log(`\nreplay: ${violations.length === 0 ? 'passed' : 'FAILED'}`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function execute(
  count: number,
  rate: number,
  kills: number,
  addCleanup: (step: () => unknown) => void,
): Promise<string[]> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_replay')
  addCleanup(drop)
  const arrivals = await startArrivalCounter(addCleanup)
  const masterKey = randomBytes(32).toString('base64')
  const key = await seed(url, client, masterKey, arrivals.url, count)
  const env = { DATABASE_URL: url.href, MASTER_KEY: masterKey, ALLOW_PRIVATE_TARGETS: 'true' }
  const start = async (role: string): Promise<ServiceProcess> => {
    const started = await startProcess(env, role)
    addCleanup(() => started.stop())
    return started
  }
  let api = await start('api')
  const workers = await Promise.all(Array.from({ length: workerCount }, () => start('worker')))
  console.log(`${count} failed deliveries at ${hooks} hooks, an api and ${workerCount} workers`)

  const startedAt = performance.now()
  const id = await startReplay(api.url, key, rate)
  let killed = 0
  let replay: Replay
  do {
    await sleep(50)
    replay = await readReplay(api.url, key, id)
    if (killed >= kills || arrivals.ids.size < killAt(killed, kills, count)) continue
    workers.shift()?.child.kill('SIGKILL')
    workers.push(await start('worker'))
    if (killed === 1) {
      api.child.kill('SIGKILL')
      api = await start('api')
    }
    killed++
    console.log(`  killed a worker${killed === 2 ? ' and the api' : ''} at ${arrivals.ids.size} arrived`)
  } while (replay.state !== 'done')
  const seconds = (performance.now() - startedAt) / 1_000
  const duplicates = arrivals.requests() - arrivals.ids.size
  console.log(
    `  ${replay.delivered} delivered in ${seconds.toFixed(0)} s, ${killed} workers killed, ${duplicates} arrived twice`,
  )
  return [
    ...(killed === kills ? [] : [`proved nothing: the replay ended after ${killed} of ${kills} kills`]),
    ...(await verify(client, count, replay, arrivals.ids, duplicates, killed)),
  ]
}

/** Returns the number of arrivals that triggers the next kill: all kills fall into the first half of the run. */
function killAt(killed: number, kills: number, count: number): number {
  return Math.ceil(((killed + 1) * count) / (2 * kills + 1))
}

async function verify(
  client: Client,
  count: number,
  replay: Replay,
  arrived: ReadonlySet<string>,
  duplicates: number,
  killed: number,
): Promise<string[]> {
  const { rows } = await client.query<{ round: number; state: string; count: number }>(
    'SELECT round, state, count(*)::integer AS count FROM deliveries GROUP BY round, state ORDER BY round, state',
  )
  const left = await client.query('SELECT FROM work')
  const actualRounds = JSON.stringify(rows)
  const expectedRounds = JSON.stringify([
    { round: 1, state: 'failed', count },
    { round: 2, state: 'delivered', count },
  ])
  const actualCounts = JSON.stringify([
    replay.total,
    replay.started,
    replay.skipped,
    replay.delivered,
    replay.failed,
  ])
  const expectedCounts = JSON.stringify([count, count, 0, count, 0])
  return [
    ...(arrived.size === count ? [] : [`lost: ${arrived.size} of ${count} arrived`]),
    ...(actualRounds === expectedRounds ? [] : [`rounds: ${actualRounds} instead of ${expectedRounds}`]),
    ...(actualCounts === expectedCounts ? [] : [`counts: ${actualCounts} instead of ${expectedCounts}`]),
    ...(left.rowCount === 0 ? [] : [`unfinished: ${left.rowCount} rows are left in work`]),
    ...(duplicates <= killed * maxInFlightPerHook * hooks
      ? []
      : [`duplicates: ${duplicates} after ${killed} kills`]),
  ]
}

interface Arrivals {
  url: string
  /** Event and hook ids of replays that arrived. */
  ids: Set<string>
  requests: () => number
}

async function startArrivalCounter(addCleanup: (step: () => unknown) => void): Promise<Arrivals> {
  const ids = new Set<string>()
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.headers['x-hookline-replay'] === '1') {
        requests++
        ids.add(`${String(request.headers['webhook-id'])} ${String(request.headers['x-hookline-hook'])}`)
      }
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => server.closeAllConnections())
  addCleanup(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/`, ids, requests: () => requests }
}

/** Creates an account with failed deliveries of the last hour. Returns an API key. */
async function seed(
  url: URL,
  client: Client,
  masterKey: string,
  target: string,
  count: number,
): Promise<string> {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  await createPartitions(db, Date.now())
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('prove') RETURNING id`,
  )
  const accountId = rows[0]?.id ?? 0
  const { key } = await createKey(db, vault, 'operator', { accountId, name: 'prove', scopes: ['all'] })
  await db.destroy()
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT $1, $2 || hook, $2 || hook, 'sms_mo', 'JSON', sha256(hook::text::bytea) FROM generate_series(1, $3::integer) AS hook`,
    [accountId, target, hooks],
  )
  const data = JSON.stringify({
    id: '1',
    sender: '491700000001',
    system: '491700000002',
    text: 'Hello',
    time: '1',
  })
  for (let done = 0; done < count; done += 10_000)
    await client.query(
      `WITH created AS (
         INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
         SELECT $1, uuid_v7(at), 'sms_mo', $2, 1, at
         FROM (SELECT now() - interval '1 hour' * random() AS at FROM generate_series(1, $3::integer)) AS times
         RETURNING id
       )
       INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
       SELECT $1, id, (SELECT min(hooks.id) FROM hooks) + (row_number() OVER ()) % $4::integer, 1, 'failed', 'status', 12
       FROM created`,
      [accountId, data, Math.min(10_000, count - done), hooks],
    )
  return key
}

async function startReplay(url: string, key: string, rate: number): Promise<number> {
  const response = await fetch(`${url}/api/replays`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ selection: { search: { state: 'failed' } }, max_per_second: rate }),
  })
  const { replay, error_message } = (await response.json()) as {
    replay?: { id: number }
    error_message?: string
  }
  if (replay === undefined) throw new Error(`the replay was rejected: ${error_message}`)
  return replay.id
}

async function readReplay(url: string, key: string, id: number): Promise<Replay> {
  const response = await fetch(`${url}/api/replays/${id}`, { headers: { 'x-api-key': key } })
  return ((await response.json()) as { replay: Replay }).replay
}
