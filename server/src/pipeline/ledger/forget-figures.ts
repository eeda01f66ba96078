/** Hourly figures leave when no page looks back so far any more. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'

/** Pages look back 30 days, the one that has begun included. */
const daysKept = 31
/** In one statement, so that each is short. What is left of an owner goes the next time. */
const ownersAtOnce = 1_000
const hoursOfOwner = 24

/** Tables of figures, and by what their keys begin, before the hour. */
const tables = [
  { table: 'rollups', owner: ['account_id', 'hook_id'] },
  { table: 'event_rollups', owner: ['account_id'] },
] as const

export async function forgetFigures(db: Database, now: number): Promise<void> {
  const before = new Date(now - daysKept * dayMs)
  for (const { table, owner } of tables) {
    let after: number[] | undefined = owner.map(() => 0)
    while (after !== undefined) after = await forgetOfNext(db, table, owner, after, before)
  }
}

/**
 * Goes from owner to owner along the key, where the oldest hours stand first, so that what stays is not read. Answers
 * where it stopped, or nothing when there are no more.
 */
async function forgetOfNext(
  db: Database,
  table: string,
  owner: readonly string[],
  after: number[],
  before: Date,
): Promise<number[] | undefined> {
  const figures = sql.table(table)
  const key = (of: string) => sql.join(owner.map((column) => sql.ref(`${of}.${column}`)))
  const { rows } = await sql<{ last: number[]; count: number }>`
    WITH RECURSIVE owners AS (
      (SELECT ${key('own')} FROM ${figures} AS own WHERE (${key('own')}) > (${sql.join(after)})
       ORDER BY ${key('own')} LIMIT 1)
      UNION ALL
      SELECT next.* FROM owners CROSS JOIN LATERAL (
        SELECT ${key('own')} FROM ${figures} AS own WHERE (${key('own')}) > (${key('owners')})
        ORDER BY ${key('own')} LIMIT 1
      ) AS next
    ), batch AS MATERIALIZED (
      SELECT * FROM owners LIMIT ${sql.lit(ownersAtOnce)}
    ), gone AS (
      DELETE FROM ${figures} AS own USING batch CROSS JOIN LATERAL (
        SELECT hour FROM ${figures} AS old WHERE (${key('old')}) = (${key('batch')}) AND hour < ${before}
        ORDER BY hour LIMIT ${sql.lit(hoursOfOwner)} FOR UPDATE SKIP LOCKED
      ) AS old
      WHERE (${key('own')}) = (${key('batch')}) AND own.hour = old.hour
    )
    SELECT max(ARRAY[${key('batch')}]) AS last, count(*)::integer AS count FROM batch
  `.execute(db)
  const [done] = rows
  return done?.count === ownersAtOnce ? done.last : undefined
}
