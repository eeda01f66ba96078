/**
 * The ledger's daily partitions: made ahead, and attached so that nobody waits. Without the partition of today nothing
 * could be accepted, so they are made for two weeks ahead and looked after every hour.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'
import { floorOf } from '../../model/event-id.ts'

export const ledgerTables = ['events', 'routes', 'deliveries', 'attempts'] as const
const daysAhead = 14

export async function makePartitions(db: Database, now: number): Promise<void> {
  for (let day = -1; day <= daysAhead; day++) {
    const start = new Date(Math.floor(now / dayMs + day) * dayMs)
    for (const table of ledgerTables) await makePartition(db, table, start)
  }
}

/** Made apart and then attached: attaching takes a lock that lets readers and writers through. */
async function makePartition(db: Database, table: string, start: Date): Promise<void> {
  const name = `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`
  const end = new Date(start.getTime() + dayMs)
  await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('hookline partitions'))`.execute(trx)
    const known = await sql<{ found: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS found`.execute(trx)
    if (known.rows[0]?.found) return
    await sql`CREATE TABLE ${sql.table(name)} (LIKE ${sql.table(table)} INCLUDING ALL)`.execute(trx)
    await sql`ALTER TABLE ${sql.table(table)} ATTACH PARTITION ${sql.table(name)}
              FOR VALUES FROM (${sql.lit(floorOf(start))}) TO (${sql.lit(floorOf(end))})`.execute(trx)
  })
}

/** The day of a partition, by its name. */
export function partitionDay(name: string): Date | undefined {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`)
}
