/**
 * The ledger's daily partitions: made ahead, and attached so that nobody waits. Without the partition of today nothing
 * could be accepted, so they are made for two weeks ahead, looked after every hour, and made at once where one is missing.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'
import { floorOf } from '../../model/event-id.ts'

/** Events last: where one can be accepted, all that becomes of it can be written down. */
export const ledgerTables = ['routes', 'deliveries', 'attempts', 'events'] as const
const daysAhead = 14

/** `now` by the database's clock, which gives events their ids. */
export async function makePartitions(db: Database, now: number): Promise<void> {
  const wanted = Array.from({ length: daysAhead + 2 }, (_, day) => {
    const start = new Date(Math.floor(now / dayMs + day - 1) * dayMs)
    const suffix = start.toISOString().slice(0, 10).replaceAll('-', '')
    return ledgerTables.map((table) => ({ table, name: `${table}_${suffix}`, start }))
  }).flat()
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${wanted.map(({ name }) => name)}::text[]) AS wanted (name) WHERE to_regclass(name) IS NULL
  `.execute(db)
  const missing = new Set(rows.map(({ name }) => name))
  for (const partition of wanted) if (missing.has(partition.name)) await makePartition(db, partition)
}

interface WantedPartition {
  table: string
  name: string
  start: Date
}

/** Made apart and then attached: attaching takes a lock that lets readers and writers through. */
async function makePartition(db: Database, { table, name, start }: WantedPartition): Promise<void> {
  const end = new Date(start.getTime() + dayMs)
  await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('hookline partitions'))`.execute(trx)
    // Not by to_regclass, which may still say what it knew before this waited for the lock.
    const known =
      await sql`SELECT FROM pg_class WHERE relname = ${name} AND pg_table_is_visible(oid)`.execute(trx)
    if (known.rows.length > 0) return
    await sql`CREATE TABLE ${sql.table(name)} (LIKE ${sql.table(table)} INCLUDING ALL)`.execute(trx)
    await sql`ALTER TABLE ${sql.table(table)} ATTACH PARTITION ${sql.table(name)}
              FOR VALUES FROM (${sql.lit(floorOf(start))}) TO (${sql.lit(floorOf(end))})`.execute(trx)
  })
}

export function isPartitionMissing(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'ExecFindPartition'
}

/** The day of a partition, by its name. */
export function partitionDay(name: string): Date | undefined {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`)
}
