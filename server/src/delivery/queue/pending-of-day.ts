/** Counts everything that still needs the events of a day, so the day must not leave the ledger. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'

/** Counts stop here: enough to see the order of magnitude. */
const maxCounted = 1_000

/** Returns counts by kind, without zeros. */
export async function readPendingOfDay(
  db: Database,
  day: Date,
  retentionDays: number,
): Promise<Record<string, number>> {
  const low = sql`uuid_v7_floor(${day}::timestamptz)`
  const high = sql`uuid_v7_floor(${new Date(day.getTime() + dayMs)}::timestamptz)`
  const count = (table: string) =>
    sql`(SELECT count(*) FROM (
      SELECT FROM ${sql.table(table)} WHERE event_id >= ${low} AND event_id < ${high} LIMIT ${maxCounted}) AS found)::integer`
  const { rows } = await sql<Record<string, number>>`
    SELECT ${count('work')} AS work, ${count('inbox')} AS inbox, ${count('parked')} AS parked,
           -- A replay may read every day that existed when it was started.
           (SELECT count(*) FROM replays
            WHERE finished_at IS NULL AND NOT is_read AND state IN ('counting', 'running')
              AND (created_at AT TIME ZONE 'UTC')::date - ${retentionDays}::integer <= (${day}::timestamptz AT TIME ZONE 'UTC')::date
           )::integer AS replays
  `.execute(db)
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, found]) => found > 0))
}
