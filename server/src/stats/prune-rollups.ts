/** Deletes hourly rollups that are older than any page shows. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'

/** Pages show 30 days, including the current one. */
const retainedDays = 31
/** Limits per statement, so each is short. The next run deletes the rest of an owner. */
const ownersPerBatch = 1_000
const hoursPerOwner = 24

/** The tables, and the columns of their keys before the hour. */
const tables = [
  { table: 'rollups', owner: ['account_id', 'hook_id'] },
  { table: 'event_rollups', owner: ['account_id'] },
] as const

export async function pruneRollups(db: Database, now: number): Promise<void> {
  const before = new Date(now - retainedDays * dayMs)
  for (const { table, owner } of tables) {
    let after: number[] | undefined = owner.map(() => 0)
    while (after !== undefined) after = await pruneNext(db, table, owner, after, before)
  }
}

/**
 * Goes from owner to owner along the key, where the oldest hours come first, so remaining rows are not read. Returns
 * the last owner, or undefined at the end.
 */
async function pruneNext(
  db: Database,
  table: string,
  owner: readonly string[],
  after: number[],
  before: Date,
): Promise<number[] | undefined> {
  const rollups = sql.table(table)
  const key = (alias: string) => sql.join(owner.map((column) => sql.ref(`${alias}.${column}`)))
  const { rows } = await sql<{ last: number[]; count: number }>`
    WITH RECURSIVE owners AS (
      (SELECT ${key('hourly')} FROM ${rollups} AS hourly WHERE (${key('hourly')}) > (${sql.join(after)})
       ORDER BY ${key('hourly')} LIMIT 1)
      UNION ALL
      SELECT next.* FROM owners CROSS JOIN LATERAL (
        SELECT ${key('hourly')} FROM ${rollups} AS hourly WHERE (${key('hourly')}) > (${key('owners')})
        ORDER BY ${key('hourly')} LIMIT 1
      ) AS next
    ), batch AS MATERIALIZED (
      SELECT * FROM owners LIMIT ${sql.lit(ownersPerBatch)}
    ), deleted AS (
      DELETE FROM ${rollups} AS hourly USING batch CROSS JOIN LATERAL (
        SELECT hour FROM ${rollups} AS old WHERE (${key('old')}) = (${key('batch')}) AND hour < ${before}
        ORDER BY hour LIMIT ${sql.lit(hoursPerOwner)} FOR UPDATE SKIP LOCKED
      ) AS old
      WHERE (${key('hourly')}) = (${key('batch')}) AND hourly.hour = old.hour
    )
    SELECT max(ARRAY[${key('batch')}]) AS last, count(*)::integer AS count FROM batch
  `.execute(db)
  const [batch] = rows
  return batch?.count === ownersPerBatch ? batch.last : undefined
}
