/**
 * The ledger's daily partitions: created ahead, and attached without blocking. Without today's partition no event
 * could be accepted. So they are created two weeks ahead, checked every hour, and created immediately if one is
 * missing.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import { minEventId } from '../model/event-id.ts'

/** Events last: if an event can be accepted, everything about it can be recorded. */
export const ledgerTables = ['routes', 'deliveries', 'attempts', 'events'] as const
const daysAhead = 14

/** `now` is the database time, which determines event ids. */
export async function createPartitions(db: Database, now: number): Promise<void> {
  const requested = Array.from({ length: daysAhead + 2 }, (_, day) => {
    const start = new Date(Math.floor(now / dayMs + day - 1) * dayMs)
    const suffix = start.toISOString().slice(0, 10).replaceAll('-', '')
    return ledgerTables.map((table) => ({ table, name: `${table}_${suffix}`, start }))
  }).flat()
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${requested.map(({ name }) => name)}::text[]) AS required (name) WHERE to_regclass(name) IS NULL
  `.execute(db)
  const missing = new Set(rows.map(({ name }) => name))
  for (const partition of requested) if (missing.has(partition.name)) await createPartition(db, partition)
}

/** Returns the number of days after today that have all partitions. -1: those of today are missing. */
export async function readDaysAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    SELECT coalesce(min(day), ${daysAhead + 1})::integer - 1 AS days
    FROM generate_series(0, ${daysAhead}) AS day CROSS JOIN unnest(${[...ledgerTables]}::text[]) AS table_name
    WHERE to_regclass(concat(table_name, '_', to_char((now() AT TIME ZONE 'UTC')::date + day, 'YYYYMMDD'))) IS NULL
  `.execute(db)
  return rows[0]?.days ?? -1
}

interface RequiredPartition {
  table: string
  name: string
  start: Date
}

/** Creates the table and then attaches it: attaching takes a lock that admits readers and writers. */
async function createPartition(db: Database, { table, name, start }: RequiredPartition): Promise<void> {
  const end = new Date(start.getTime() + dayMs)
  await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('hookline partitions'))`.execute(trx)
    // Not with to_regclass, which may return a state from before the lock.
    const existing =
      await sql`SELECT FROM pg_class WHERE relname = ${name} AND pg_table_is_visible(oid)`.execute(trx)
    if (existing.rows.length > 0) return
    await sql`CREATE TABLE ${sql.table(name)} (LIKE ${sql.table(table)} INCLUDING ALL)`.execute(trx)
    await sql`ALTER TABLE ${sql.table(table)} ATTACH PARTITION ${sql.table(name)}
              FOR VALUES FROM (${sql.lit(minEventId(start))}) TO (${sql.lit(minEventId(end))})`.execute(trx)
  })
}

export function isPartitionMissing(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'ExecFindPartition'
}

/** Returns the day of a partition, by its name. */
export function partitionDay(name: string): Date | undefined {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`)
}
