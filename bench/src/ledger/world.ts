/** A PostgreSQL of its own with a full ledger, and who may ask it. Where a folder is named, both are kept there for the next time. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
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
import type { Undo } from '../undo.ts'
import { bigAccount, fillLedger, leadHooksTo, middlingAccount } from './fill.ts'
import { type Kind, kindsOf } from './kinds.ts'

const sides = [
  { name: 'the account that owns 30 %', accountId: bigAccount },
  { name: 'an account in the middle', accountId: middlingAccount },
]

interface Side {
  name: string
  key: string
  kinds: Kind[]
}

export interface World {
  postgres: Postgres
  url: URL
  env: Record<string, string>
  producerKey: string
  sides: Side[]
}

/** What opens a ledger again that was filled before. */
interface Secrets {
  password: string
  masterKey: string
  producerKey: string
  /** In the order of the sides. */
  keys: string[]
}

interface Wanted {
  deliveries: number
  /** Of each kind of search. */
  calls: number
}

export async function makeWorld(
  { deliveries, calls }: Wanted,
  keptIn: string | undefined,
  undo: Undo,
): Promise<World> {
  const folder = keptIn === undefined ? await createFolder(undo) : await keptFolder(keptIn)
  const file = `${folder}/ledger.json`
  const kept = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Secrets) : undefined
  const password = kept?.password ?? randomBytes(12).toString('hex')
  const postgres = createPostgres(folder, { port: await freePort(), password }, () => {})
  if (keptIn === undefined) undo.push(() => postgres.remove())
  undo.push(() => postgres.stop())
  await postgres.start()
  await migrate({ databaseUrl: new URL(postgres.url()), folder: migrationsFolder })
  const address = await startReceiver(undo)
  const secrets = kept ?? (await fill(postgres, password, deliveries, address))
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 })

  const url = new URL(postgres.url())
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await leadHooksTo(client, address)
  await printSizes(client)
  const own: Side[] = []
  for (const [place, { name, accountId }] of sides.entries())
    own.push({
      name,
      key: secrets.keys[place] ?? '',
      kinds: await kindsOf(client, accountId, calls),
    })
  await client.end()
  return {
    postgres,
    url,
    env: {
      DATABASE_URL: url.href,
      NATS_URL: '',
      MASTER_KEY: secrets.masterKey,
      ALLOW_PRIVATE_TARGETS: 'true',
      CALLS_PER_MINUTE: '1000000',
      RETENTION_DAYS: '60',
    },
    producerKey: secrets.producerKey,
    sides: own,
  }
}

async function keptFolder(path: string): Promise<string> {
  const folder = resolve(path)
  await mkdir(folder, { recursive: true })
  // PostgreSQL works as a user of its own, which must be able to pass.
  await chmod(folder, 0o711)
  return folder
}

async function fill(
  postgres: Postgres,
  password: string,
  deliveries: number,
  address: string,
): Promise<Secrets> {
  await tune(postgres, {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '4GB',
    maintenance_work_mem: '512MB',
  })
  const client = new Client({ connectionString: postgres.url() })
  await client.connect()
  console.log(`Filling a ledger with ${deliveries.toLocaleString('en')} deliveries …`)
  const startedAt = performance.now()
  await fillLedger(client, deliveries, address)
  console.log(`filled in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`)
  await client.end()
  // As it is delivered: every commit waits for the disk.
  await tune(postgres, {
    fsync: 'on',
    full_page_writes: 'on',
    max_wal_size: '1GB',
    maintenance_work_mem: '64MB',
  })
  const masterKey = randomBytes(32).toString('base64')
  return { password, masterKey, ...(await createKeys(new URL(postgres.url()), masterKey)) }
}

/** It takes everything at once. */
async function startReceiver(undo: Undo): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  undo.push(() => receiver.close())
  undo.push(() => receiver.closeAllConnections())
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}/`
}

async function tune(postgres: Postgres, settings: Record<string, string>): Promise<void> {
  await run(
    postgres.url(),
    Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`),
  )
  await postgres.stop()
  await postgres.start()
}

/** On a connection of its own, each by itself. */
export async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    // Before anything stops the server: a connection that is cut would end this process, and what it made would stay.
    await client.end()
  }
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

async function createKeys(url: URL, masterKey: string): Promise<Pick<Secrets, 'keys' | 'producerKey'>> {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const keys: string[] = []
  for (const { accountId } of sides) {
    const { key } = await createKey(db, vault, 'operator', { accountId, name: 'bench', scopes: ['all'] })
    keys.push(key)
  }
  const { key: producerKey } = await createProducer(db, vault, 'operator', 'bench')
  await db.destroy()
  return { keys, producerKey }
}

export async function startApi({ env }: World, undo: Undo): Promise<ServiceProcess> {
  const api = await startProcess(env, 'api')
  undo.push(() => api.stop())
  return api
}
