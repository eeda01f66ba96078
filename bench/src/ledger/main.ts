/**
 * How the ledger answers at its final size: every kind of search and the story of an event, for the account that owns
 * 30 % and one in the middle; cold, warm, and while deliveries are made. On a PostgreSQL of its own.
 * Cold: PostgreSQL has just been restarted, so its own memory is empty; what the system keeps of the files stays.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createPostgres, type Postgres } from '../../../dev/postgres.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { migrationsFolder } from '../../../server/src/db/migrations-folder.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createProducer } from '../../../server/src/identity/keys/producers.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createFolder } from '../delivery/servers.ts'
import { startLoad } from '../isolation/load.ts'
import { createUndo, type Undo } from '../undo.ts'
import { accounts, bigAccount, fillLedger, middlingAccount } from './fill.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { measure, type Measured, report, time } from './measure.ts'

const callsAKind = 40
const restarts = 8
const sides = [
  { name: 'the account that owns 30 %', accountId: bigAccount },
  { name: 'an account in the middle', accountId: middlingAccount },
]

interface Side {
  name: string
  key: string
  kinds: Kind[]
}

interface World {
  postgres: Postgres
  url: URL
  env: Record<string, string>
  producerKey: string
  sides: Side[]
}

export async function ledgerBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      deliveries: { type: 'string', default: '1000000' },
      rate: { type: 'string', default: '300' },
      plans: { type: 'boolean', default: false },
    },
  })
  const undo = createUndo()
  try {
    const world = await makeWorld(Number(values.deliveries), undo)
    await measureCold(world, undo)
    const api = await startApi(world, undo)
    await measureAll(world, api.url, 'warm')
    await measureUnderLoad(world, api, Number(values.rate), undo)
    if (values.plans) await printPlans(world, undo)
  } finally {
    await undo.all()
  }
}

async function makeWorld(deliveries: number, undo: Undo): Promise<World> {
  const folder = await createFolder(undo)
  const wanted = { port: await freePort(), password: randomBytes(12).toString('hex') }
  const postgres = createPostgres(folder, wanted, () => {})
  undo.push(() => postgres.remove())
  undo.push(() => postgres.stop())
  await postgres.start()
  await tune(postgres, {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '4GB',
    maintenance_work_mem: '512MB',
  })
  const url = new URL(postgres.url())
  await migrate({ databaseUrl: url, folder: migrationsFolder })
  const client = new Client({ connectionString: url.href })
  await client.connect()
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  undo.push(() => receiver.close())
  undo.push(() => receiver.closeAllConnections())
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  console.log(`Filling a ledger with ${deliveries.toLocaleString('en')} deliveries …`)
  const startedAt = performance.now()
  await fillLedger(client, deliveries, `http://127.0.0.1:${address.port}/`)
  console.log(`filled in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`)
  await printSizes(client)
  const masterKey = randomBytes(32).toString('base64')
  const keys = await createKeys(url, masterKey)
  const own: Side[] = []
  for (const { name, accountId } of sides)
    own.push({ name, key: keys.of.get(accountId) ?? '', kinds: await kindsOf(client, accountId, callsAKind) })
  await client.end()
  // As it is delivered: every commit waits for the disk.
  await tune(postgres, {
    fsync: 'on',
    full_page_writes: 'on',
    max_wal_size: '1GB',
    maintenance_work_mem: '64MB',
  })
  return {
    postgres,
    url,
    env: {
      DATABASE_URL: url.href,
      NATS_URL: '',
      MASTER_KEY: masterKey,
      ALLOW_PRIVATE_TARGETS: 'true',
      CALLS_PER_MINUTE: '1000000',
      RETENTION_DAYS: '60',
    },
    producerKey: keys.producer,
    sides: own,
  }
}

async function tune(postgres: Postgres, settings: Record<string, string>): Promise<void> {
  const client = new Client({ connectionString: postgres.url() })
  await client.connect()
  try {
    for (const [name, value] of Object.entries(settings))
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  } finally {
    // Before anything stops the server: a connection that is cut would end this process, and what it made would stay.
    await client.end()
  }
  await restart(postgres)
}

async function restart(postgres: Postgres): Promise<void> {
  await postgres.stop()
  await postgres.start()
}

async function printSizes(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; rows: string; data: string; indexes: string }>(
    `SELECT parent.relname AS name, sum(child.reltuples)::bigint AS rows,
            pg_size_pretty(sum(pg_table_size(child.oid))) AS data, pg_size_pretty(sum(pg_indexes_size(child.oid))) AS indexes
     FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent JOIN pg_class AS child ON child.oid = inhrelid
     WHERE parent.relkind = 'p' GROUP BY 1 ORDER BY 1`,
  )
  console.table(rows)
}

async function createKeys(
  url: URL,
  masterKey: string,
): Promise<{ of: Map<number, string>; producer: string }> {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const of = new Map<number, string>()
  for (const { accountId } of sides) {
    const { key } = await createKey(db, vault, 'operator', { accountId, name: 'bench', scopes: ['all'] })
    of.set(accountId, key)
  }
  const { key: producer } = await createProducer(db, vault, 'operator', 'bench')
  await db.destroy()
  return { of, producer }
}

async function startApi({ env }: World, undo: Undo): Promise<ServiceProcess> {
  const api = await startProcess(env, 'api')
  undo.push(() => api.stop())
  return api
}

/** One call of each kind after a restart, so that none finds what another of its kind has read. */
async function measureCold(world: World, undo: Undo): Promise<void> {
  const measured = new Map<Kind, Measured>()
  for (let turn = 0; turn < restarts; turn++) {
    await restart(world.postgres)
    const api = await startApi(world, undo)
    for (const side of world.sides) {
      // The connection and who is calling are not what is measured.
      await fetch(`${api.url}/api/hooks`, { headers: { 'x-api-key': side.key } })
      for (const kind of side.kinds.toSorted(() => Math.random() - 0.5)) {
        const own = measured.get(kind) ?? { name: kind.name, times: [], complete: 0 }
        measured.set(kind, own)
        const path = kind.paths[turn]
        // A small ledger may not have as many values to ask for.
        if (path !== undefined) await time({ url: api.url, key: side.key }, path, own)
      }
    }
    await api.stop()
  }
  for (const side of world.sides)
    report(
      `cold, ${side.name}`,
      side.kinds.flatMap((kind) => measured.get(kind) ?? []),
    )
}

async function measureAll(world: World, url: string, title: string): Promise<void> {
  for (const side of world.sides) {
    const rows: Measured[] = []
    for (const kind of side.kinds) {
      const call = { url, key: side.key }
      if (title === 'warm') await measure(call, kind)
      rows.push(await measure(call, kind))
    }
    report(`${title}, ${side.name}`, rows)
  }
}

async function measureUnderLoad(world: World, api: ServiceProcess, rate: number, undo: Undo): Promise<void> {
  const worker = await startProcess(world.env, 'worker')
  undo.push(() => worker.stop())
  const ids = Array.from({ length: accounts }, (_, place) => place + 1)
  const load = startLoad({ url: api.internalUrl, key: world.producerKey }, ids, rate)
  await sleep(5_000)
  const before = load.accepted.length
  const startedAt = performance.now()
  await measureAll(world, api.url, `beside ${rate} deliveries a second`)
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(
    `\n${((load.accepted.length - before) / seconds).toFixed(0)} events a second were accepted meanwhile`,
  )
  await load.stop()
  await worker.stop()
}

/** By the server's own account: every statement of one call of each kind, with what it read. */
async function printPlans(world: World, undo: Undo): Promise<void> {
  const client = new Client({ connectionString: world.url.href })
  await client.connect()
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
  }
  // Of a database, not of the server, which refuses settings of a library that it has not loaded.
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER DATABASE ${world.url.pathname.slice(1)} SET ${name} = '${value}'`)
  await client.end()
  const api = await startApi(world, undo)
  const [side] = world.sides
  if (side === undefined) return
  for (const kind of side.kinds) {
    const { length } = await readFile(await world.postgres.logFile(), 'utf8')
    await measure({ url: api.url, key: side.key }, { ...kind, paths: kind.paths.slice(0, 1) })
    await sleep(200)
    const log = (await readFile(await world.postgres.logFile(), 'utf8')).slice(length)
    console.log(`\n=== ${kind.name}: ${kind.paths[0]}\n${log}`)
  }
}
