/**
 * Applies the numbered SQL files of `server/migrations`: forward only, each once, in one transaction with its entry.
 * - Two processes may start together: an advisory lock admits one; the other waits and then has nothing to do. The
 *   lock is polled: a session that waits inside PostgreSQL holds a snapshot, and CREATE INDEX CONCURRENTLY would wait
 *   for that snapshot forever.
 * - Under load: a statement that cannot get its table lock in 2 seconds is canceled and retried, so queries never
 *   queue behind a waiting migration.
 * - A file that starts with `-- no transaction` runs outside a transaction (CREATE INDEX CONCURRENTLY): one
 *   statement, repeatable.
 * - Comments of a file can name steps that run before its transaction (`prepare-migration.ts`).
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { OperatorError } from '../model/errors.ts'
import { prepareMigration } from './prepare-migration.ts'
import { isDirectConnection } from './session.ts'

const lockKey = 4_665_711
const lockTimeoutMs = 2_000
const lockPollMs = 200
const attemptsForTableLock = 30

interface Migration {
  name: string
  sql: string
  checksum: string
}

interface MigrateOptions {
  /** A direct connection: the lock and settings must span several transactions. */
  databaseUrl: URL
  folder: URL
  onApplied?: (name: string) => void
}

export async function migrate({ databaseUrl, folder, onApplied }: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new Client({ connectionString: databaseUrl.href, application_name: 'hookline-migrate' })
  await client.connect()
  try {
    await rejectPooler(client)
    await client.query(unboundedSession)
    await acquireLock(client)
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const pending = pendingMigrations(migrations, await appliedMigrations(client))
    for (const migration of pending) {
      await applyUnderLoad(client, migration)
      onApplied?.(migration.name)
    }
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Returns the names of migrations that are not applied. The service does not start while there are any. */
export async function missingMigrations(databaseUrl: URL, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new Client({ connectionString: databaseUrl.href, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const table = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('migrations') IS NOT NULL AS exists",
    )
    const applied = table.rows[0]?.exists ? await appliedMigrations(client) : new Map<string, string>()
    return pendingMigrations(migrations, applied).map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Overrides settings of the service's role: a migration may run long and read whole tables. */
const unboundedSession = `
  SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET enable_seqscan = on; SET enable_hashjoin = on; SET enable_mergejoin = on`

/** Rejects a pooler: in transaction mode the lock would stay on a connection that other clients use. */
async function rejectPooler(client: Client): Promise<void> {
  if (await isDirectConnection(client)) return
  throw new OperatorError(
    'Migrations need a direct connection, and DATABASE_URL points to a pooler. Set MIGRATE_DATABASE_URL to the URL of PostgreSQL itself.',
  )
}

export async function migrationNames(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

export async function readMigrations(folder: URL): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(folder)).map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function acquireLock(client: Client): Promise<void> {
  for (;;) {
    const result = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      lockKey,
    ])
    if (result.rows[0]?.locked) return
    await sleep(lockPollMs)
  }
}

async function appliedMigrations(client: Client): Promise<Map<string, string>> {
  const result = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations',
  )
  return new Map(result.rows.map((row) => [row.name, row.checksum]))
}

function pendingMigrations(migrations: Migration[], applied: Map<string, string>): Migration[] {
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.name)
    if (checksum !== undefined && checksum !== migration.checksum)
      throw new OperatorError(
        `Migration ${migration.name} was changed after it was applied. Restore the file and add a new one.`,
      )
    return checksum === undefined
  })
}

async function applyUnderLoad(client: Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await apply(client, migration)
      return
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attemptsForTableLock) throw error
      await sleep(lockPollMs * attempt)
    }
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const inTransaction = !migration.sql.startsWith('-- no transaction')
  // No lock timeout outside a transaction: a canceled CREATE INDEX CONCURRENTLY leaves an invalid index.
  await client.query(`SET lock_timeout = ${inTransaction ? lockTimeoutMs : 0}`)
  if (inTransaction) {
    await prepareMigration(client, migration.sql)
    await client.query(`SET lock_timeout = ${lockTimeoutMs}`)
    await client.query('BEGIN')
  }
  try {
    await client.query(migration.sql)
    if (!inTransaction) await rejectInvalidIndexes(client, migration)
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    if (inTransaction) await client.query('COMMIT')
  } catch (error) {
    if (inTransaction) await client.query('ROLLBACK')
    throw error
  }
}

/** An interrupted build leaves an invalid index that no query uses. IF NOT EXISTS would accept it. */
async function rejectInvalidIndexes(client: Client, migration: Migration): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
  )
  if (rows.length > 0)
    throw new OperatorError(
      `${migration.name} left an invalid index: ${rows.map((row) => row.name).join(', ')}. Drop it and migrate again.`,
    )
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
