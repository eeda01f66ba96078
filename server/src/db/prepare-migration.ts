/**
 * The part of a migration that runs before its transaction, so that large tables are never locked for long. Each step
 * is a comment line of the file, and repeatable:
 *   -- in advance: <statement>
 *   -- day by day: <name> ON <table> (<columns>) …
 * The second builds an index on each partition of a ledger table, concurrently. The transaction then creates the index
 * on the table itself, for which PostgreSQL uses those of the partitions instead of building them.
 */
import type { Client } from 'pg'

const stepPattern = /^-- (in advance|day by day): (.+)$/gm

export async function prepareMigration(client: Client, migration: string): Promise<void> {
  for (const [, kind, step = ''] of migration.matchAll(stepPattern))
    if (kind === 'in advance') await client.query(step)
    else await buildIndexes(client, step)
}

async function buildIndexes(client: Client, step: string): Promise<void> {
  const [, name, table, definition] = /^(\w+) ON (\w+) (\(.+)$/.exec(step) ?? []
  if (name === undefined || table === undefined || definition === undefined)
    throw new Error(`not an index: ${step}`)
  // A canceled build leaves an invalid index, so nothing limits the wait for locks.
  await client.query('SET lock_timeout = 0')
  for (;;) {
    const partition = await findUnindexed(client, table, name)
    if (partition === undefined) return
    const index = `${partition}_${name}`
    // Invalid after an interrupted build.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
    await client.query(`CREATE INDEX CONCURRENTLY ${index} ON ${partition} ${definition}`)
  }
}

/** Returns a partition without a valid index. Asked again for each, because days are added and dropped meanwhile. */
async function findUnindexed(client: Client, table: string, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ partition: string }>(
    `SELECT inhrelid::regclass::text AS partition FROM pg_inherits
     WHERE inhparent = $1::regclass AND NOT inhdetachpending AND NOT EXISTS (
       SELECT FROM pg_index WHERE indexrelid = to_regclass(inhrelid::regclass::text || '_' || $2) AND indisvalid)
     ORDER BY 1 LIMIT 1`,
    [table, name],
  )
  return rows[0]?.partition
}
