/**
 * Applies the numbered SQL files of `server/migrations`, forward only, each once, in one transaction with its entry.
 * - Two processes may start together: a lock lets one work while the other waits and then finds nothing to do.
 *   It is polled, not waited for: a session that waits inside PostgreSQL holds a snapshot, and
 *   CREATE INDEX CONCURRENTLY would wait for that snapshot for ever.
 * - Under load: a statement that cannot get its table lock in two seconds gives up and is tried again, so that
 *   queries never queue up behind a waiting migration.
 * - A file that starts with `-- no transaction` runs outside one (CREATE INDEX CONCURRENTLY): one statement, repeatable.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { Advice } from '../model/errors.ts'
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
  /** Of PostgreSQL itself: a lock and settings are kept over several transactions. */
  databaseUrl: URL
  folder: URL
  onApplied?: (name: string) => void
}

export async function migrate({ databaseUrl, folder, onApplied }: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new Client({ connectionString: databaseUrl.href, application_name: 'hookline-migrate' })
  await client.connect()
  try {
    await refusePooler(client)
    await client.query(unboundedSession)
    await takeLock(client)
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

/** Names of migrations the database still lacks; the service does not start while there are any. */
export async function missingMigrations(databaseUrl: URL, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new Client({ connectionString: databaseUrl.href, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const known = await client.query<{ known: boolean }>(
      "SELECT to_regclass('migrations') IS NOT NULL AS known",
    )
    const applied = known.rows[0]?.known ? await appliedMigrations(client) : new Map<string, string>()
    return pendingMigrations(migrations, applied).map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Against settings that the role may have for the service: a migration may take its time and read whole tables. */
const unboundedSession = `
  SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET enable_seqscan = on; SET enable_hashjoin = on; SET enable_mergejoin = on`

/** In transaction mode the lock would stay behind on a connection that belongs to others. */
async function refusePooler(client: Client): Promise<void> {
  if (await isDirectConnection(client)) return
  throw new Advice(
    'Migrations need a direct connection, and DATABASE_URL leads to a pooler. Set MIGRATE_DATABASE_URL to an address of PostgreSQL itself.',
  )
}

export async function migrationNames(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(folder)).map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const answer = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      lockKey,
    ])
    if (answer.rows[0]?.locked) return
    await sleep(lockPollMs)
  }
}

async function appliedMigrations(client: Client): Promise<Map<string, string>> {
  const answer = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations',
  )
  return new Map(answer.rows.map((row) => [row.name, row.checksum]))
}

function pendingMigrations(migrations: Migration[], applied: Map<string, string>): Migration[] {
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.name)
    if (checksum !== undefined && checksum !== migration.checksum)
      throw new Advice(
        `Migration ${migration.name} was changed after it was applied. Put it back as it was and add a new file.`,
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
  // Outside a transaction a statement that gives up leaves half its work behind: an index that is not valid.
  await client.query(`SET lock_timeout = ${inTransaction ? lockTimeoutMs : 0}`)
  if (inTransaction) await client.query('BEGIN')
  try {
    await client.query(migration.sql)
    if (!inTransaction) await refuseInvalidIndexes(client, migration)
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

/** A build that was broken off leaves an index that no query uses; IF NOT EXISTS would take it for a good one. */
async function refuseInvalidIndexes(client: Client, migration: Migration): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
  )
  if (rows.length > 0)
    throw new Advice(
      `${migration.name} left an index that is not valid: ${rows.map((row) => row.name).join(', ')}. Drop it and migrate again.`,
    )
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
