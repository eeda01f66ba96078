/**
 * Creates a dedicated PostgreSQL with a full ledger, and API keys for it. With `persistentFolder`, later runs reuse
 * both.
 */
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
import { createFolder } from '../support/servers.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { bigAccount, seedLedger, pointHooksAt, medianAccount } from './seed.ts'
import { type Kind, kindsOf } from './kinds.ts'

const testAccounts = [
  { name: 'account with 30%', accountId: bigAccount },
  { name: 'median account', accountId: medianAccount },
]

interface TestAccount {
  name: string
  key: string
  kinds: Kind[]
}

export interface Environment {
  postgres: Postgres
  url: URL
  env: Record<string, string>
  producerKey: string
  testAccounts: TestAccount[]
}

/** Credentials for a ledger that an earlier run seeded. */
interface Secrets {
  password: string
  masterKey: string
  producerKey: string
  /** API keys in the order of `testAccounts`. */
  keys: string[]
}

interface LedgerSize {
  deliveries: number
  /** Calls of each kind of search. */
  calls: number
}

export async function createEnvironment(
  { deliveries, calls }: LedgerSize,
  persistentFolder: string | undefined,
  cleanup: Cleanup,
): Promise<Environment> {
  const folder =
    persistentFolder === undefined
      ? await createFolder(cleanup)
      : await preparePersistentFolder(persistentFolder)
  const file = `${folder}/ledger.json`
  const saved = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Secrets) : undefined
  const password = saved?.password ?? randomBytes(12).toString('hex')
  const postgres = createPostgres(folder, { port: await freePort(), password }, () => {})
  if (persistentFolder === undefined) cleanup.push(() => postgres.remove())
  cleanup.push(() => postgres.stop())
  await postgres.start()
  const startedAt = performance.now()
  await migrate({ databaseUrl: new URL(postgres.url()), folder: migrationsFolder })
  console.log(`migrated in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  const address = await startReceiver(cleanup)
  const secrets = saved ?? (await seed(postgres, password, deliveries, address))
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 })

  const url = new URL(postgres.url())
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await pointHooksAt(client, address)
  await printSizes(client)
  const accounts: TestAccount[] = []
  for (const [index, { name, accountId }] of testAccounts.entries())
    accounts.push({
      name,
      key: secrets.keys[index] ?? '',
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
    testAccounts: accounts,
  }
}

async function preparePersistentFolder(path: string): Promise<string> {
  const folder = resolve(path)
  await mkdir(folder, { recursive: true })
  // PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o711)
  return folder
}

async function seed(
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
  console.log(`Seeding a ledger with ${deliveries.toLocaleString('en')} deliveries …`)
  const startedAt = performance.now()
  await seedLedger(client, deliveries, address)
  console.log(`seeded in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`)
  await client.end()
  // Restores the defaults: every commit waits for the disk.
  await tune(postgres, {
    fsync: 'on',
    full_page_writes: 'on',
    max_wal_size: '1GB',
    maintenance_work_mem: '64MB',
  })
  const masterKey = randomBytes(32).toString('base64')
  return { password, masterKey, ...(await createKeys(new URL(postgres.url()), masterKey)) }
}

/** Starts a receiver that responds 204 immediately. */
async function startReceiver(cleanup: Cleanup): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  cleanup.push(() => receiver.close())
  cleanup.push(() => receiver.closeAllConnections())
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

/** Runs each statement in a separate transaction on a new connection. */
export async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    // Closes the connection before the server stops. A broken connection would crash this process before cleanup.
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
  for (const { accountId } of testAccounts) {
    const { key } = await createKey(db, vault, 'operator', { accountId, name: 'bench', scopes: ['all'] })
    keys.push(key)
  }
  const { key: producerKey } = await createProducer(db, vault, 'operator', 'bench')
  await db.destroy()
  return { keys, producerKey }
}

export async function startApi({ env }: Environment, cleanup: Cleanup): Promise<ServiceProcess> {
  const api = await startProcess(env, 'api')
  cleanup.push(() => api.stop())
  return api
}
