/**
 * Whole days leave the ledger when they are too old. Work that is still waiting for their events is ended first, with
 * that reason; then the partitions are detached, which blocks nobody, and dropped. Detaching waits for transactions that
 * are open, and may be interrupted at any point: whatever is left half done is where the next time begins.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { firstDayKept } from './ledger-days.ts'
import { ledgerTables, partitionDay } from './partitions.ts'

export async function dropOldPartitions(
  db: Database,
  now: number,
  retentionDays: number,
  endWorkBefore: (before: Date) => Promise<void>,
): Promise<void> {
  const keepFrom = firstDayKept(now, retentionDays)
  if ((await partitionsBefore(db, keepFrom)).length === 0) return
  await endWorkBefore(keepFrom)
  // One connection holds the lock, so that one process drops and the others leave it alone.
  await db.connection().execute(async (connection) => {
    const locked = await sql<{ isOurs: boolean }>`
      SELECT pg_try_advisory_lock(hashtext('hookline retention')) AS is_ours`.execute(connection)
    if (!locked.rows[0]?.isOurs) return
    try {
      for (const partition of await partitionsBefore(connection, keepFrom))
        await dropPartition(connection, partition)
    } finally {
      await sql`SELECT pg_advisory_unlock(hashtext('hookline retention'))`.execute(connection)
    }
  })
}

interface Partition {
  parent: string
  name: string
  /** Detached: it was not dropped any more. */
  state: 'attached' | 'detaching' | 'detached'
}

async function dropPartition(connection: Kysely<DB>, { parent, name, state }: Partition): Promise<void> {
  if (state !== 'detached') {
    const how = state === 'attached' ? sql`CONCURRENTLY` : sql`FINALIZE`
    await sql`ALTER TABLE ${sql.table(parent)} DETACH PARTITION ${sql.table(name)} ${how}`.execute(connection)
  }
  await sql`DROP TABLE ${sql.table(name)}`.execute(connection)
}

/**
 * What was left half done comes first: a table detaches one at a time. Then day by day, deliveries last, so that work of a
 * day can be ended for as long as anything of that day is there.
 */
async function partitionsBefore(db: Database, before: Date): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    SELECT parent, relname AS name, CASE WHEN NOT relispartition THEN 'detached'
                                         WHEN inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
    FROM unnest(${[...ledgerTables]}::text[]) AS parent
    JOIN pg_class ON relname ~ ('^' || parent || '_[0-9]{8}$') AND relkind = 'r' AND pg_table_is_visible(pg_class.oid)
    LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
    ORDER BY inhdetachpending DESC, right(relname, 8), parent = 'deliveries', name
  `.execute(db)
  return rows.filter(
    ({ name }) => (partitionDay(name)?.getTime() ?? Number.POSITIVE_INFINITY) < before.getTime(),
  )
}
