/**
 * `npm run prove -- replay`: deliveries that have failed are sent again while workers and the api are killed. Each must
 * arrive, each must have one further round and no more, and the replay's own figures must say so. What a killed worker had
 * under way may arrive twice; nothing else may.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../dev/service-process.ts'
import { startServices } from '../../dev/services.ts'
import { openDatabase } from '../../server/src/db/database.ts'
import { vaultKeyStore } from '../../server/src/db/vault-key-store.ts'
import { createKey } from '../../server/src/identity/keys/create-key.ts'
import { makePartitions } from '../../server/src/pipeline/ledger/partitions.ts'
import { openVault } from '../../server/src/vault/vault.ts'
import { createBenchDatabase } from './database.ts'
import { createUndo } from './undo.ts'

const hooks = 4
const workerCount = 3
/** What a hook may have under way, over all workers. */
const inFlightOfHook = 16

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
  const undo = createUndo()
  try {
    const violations = await play(count, Number(values.rate), Number(values.kills), undo.push)
    for (const violation of violations) console.log(`  ✗ ${violation}`)
    console.log(`\nreplay: ${violations.length === 0 ? 'the promise held' : 'THE PROMISE WAS BROKEN'}`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await undo.all()
  }
}

async function play(
  count: number,
  rate: number,
  kills: number,
  keepUndo: (step: () => unknown) => void,
): Promise<string[]> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_replay')
  keepUndo(drop)
  const arrivals = await startCounting(keepUndo)
  const masterKey = randomBytes(32).toString('base64')
  const key = await fill(url, client, masterKey, arrivals.url, count)
  const env = { DATABASE_URL: url.href, MASTER_KEY: masterKey, ALLOW_PRIVATE_TARGETS: 'true' }
  const start = async (role: string): Promise<ServiceProcess> => {
    const started = await startProcess(env, role)
    keepUndo(() => started.stop())
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
    ...(await judge(client, count, replay, arrivals.ids, duplicates, killed)),
  ]
}

/** Returns the number of arrivals that triggers the next kill: all kills fall into the first half of the run. */
function killAt(killed: number, kills: number, count: number): number {
  return Math.ceil(((killed + 1) * count) / (2 * kills + 1))
}

async function judge(
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
  const found = JSON.stringify(rows)
  const wanted = JSON.stringify([
    { round: 1, state: 'failed', count },
    { round: 2, state: 'delivered', count },
  ])
  const figures = JSON.stringify([
    replay.total,
    replay.started,
    replay.skipped,
    replay.delivered,
    replay.failed,
  ])
  const right = JSON.stringify([count, count, 0, count, 0])
  return [
    ...(arrived.size === count ? [] : [`lost: ${arrived.size} of ${count} arrived`]),
    ...(found === wanted ? [] : [`rounds: ${found} instead of ${wanted}`]),
    ...(figures === right ? [] : [`figures: ${figures} instead of ${right}`]),
    ...(left.rowCount === 0 ? [] : [`unfinished: ${left.rowCount} rows of work are left`]),
    ...(duplicates <= killed * inFlightOfHook * hooks ? [] : [`twice: ${duplicates} after ${killed} kills`]),
  ]
}

interface Arrivals {
  url: string
  /** Event and hook of what arrived as a replay. */
  ids: Set<string>
  requests: () => number
}

async function startCounting(keepUndo: (step: () => unknown) => void): Promise<Arrivals> {
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
  keepUndo(() => server.closeAllConnections())
  keepUndo(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/`, ids, requests: () => requests }
}

/** An account whose deliveries have all failed, over the last hour; answers a key of it. */
async function fill(
  url: URL,
  client: Client,
  masterKey: string,
  target: string,
  count: number,
): Promise<string> {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  await makePartitions(db, Date.now())
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
      `WITH made AS (
         INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
         SELECT $1, uuid_v7(at), 'sms_mo', $2, 1, at
         FROM (SELECT now() - interval '1 hour' * random() AS at FROM generate_series(1, $3::integer)) AS times
         RETURNING id
       )
       INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
       SELECT $1, id, (SELECT min(hooks.id) FROM hooks) + (row_number() OVER ()) % $4::integer, 1, 'failed', 'status', 12
       FROM made`,
      [accountId, data, Math.min(10_000, count - done), hooks],
    )
  return key
}

async function startReplay(url: string, key: string, rate: number): Promise<number> {
  const response = await fetch(`${url}/api/replays`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ selection: { search: { state: 'failed' } }, most_per_second: rate }),
  })
  const { replay, error_message } = (await response.json()) as {
    replay?: { id: number }
    error_message?: string
  }
  if (replay === undefined) throw new Error(`the replay was refused: ${error_message}`)
  return replay.id
}

async function readReplay(url: string, key: string, id: number): Promise<Replay> {
  const response = await fetch(`${url}/api/replays/${id}`, { headers: { 'x-api-key': key } })
  return ((await response.json()) as { replay: Replay }).replay
}
