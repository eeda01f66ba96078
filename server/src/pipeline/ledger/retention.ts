/**
 * Whole days leave the ledger when they are too old. Work that is still waiting for their events is ended first, with
 * that reason; then the partitions are detached, which blocks nobody, and dropped.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { dayMs, ledgerTables, partitionDay } from './partitions.ts'

export async function dropOldPartitions(
  db: Database,
  now: number,
  retentionDays: number,
  endWorkBefore: (before: Date) => Promise<void>,
): Promise<void> {
  const keepFrom = new Date(Math.floor(now / dayMs - retentionDays) * dayMs)
  const old = await partitionsBefore(db, keepFrom)
  if (old.length === 0) return
  await endWorkBefore(keepFrom)
  // One connection holds the lock, so that one process drops and the others leave it alone.
  await db.connection().execute(async (connection) => {
    const locked = await sql<{ isOurs: boolean }>`
      SELECT pg_try_advisory_lock(hashtext('hookline retention')) AS is_ours`.execute(connection)
    if (!locked.rows[0]?.isOurs) return
    try {
      for (const { parent, name } of old) await dropPartition(connection, parent, name)
    } finally {
      await sql`SELECT pg_advisory_unlock(hashtext('hookline retention'))`.execute(connection)
    }
  })
}

async function dropPartition(connection: Kysely<DB>, parent: string, name: string): Promise<void> {
  await sql`ALTER TABLE ${sql.table(parent)} DETACH PARTITION ${sql.table(name)} CONCURRENTLY`.execute(
    connection,
  )
  await sql`DROP TABLE ${sql.table(name)}`.execute(connection)
}

async function partitionsBefore(
  db: Database,
  before: Date,
): Promise<Array<{ parent: string; name: string }>> {
  const answer = await sql<{ parent: string; name: string }>`
    SELECT parent.relname AS parent, child.relname AS name
    FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent JOIN pg_class AS child ON child.oid = inhrelid
    WHERE parent.relname = ANY (${[...ledgerTables]}::text[]) ORDER BY child.relname
  `.execute(db)
  return answer.rows.filter(
    ({ name }) => (partitionDay(name)?.getTime() ?? Number.POSITIVE_INFINITY) < before.getTime(),
  )
}
