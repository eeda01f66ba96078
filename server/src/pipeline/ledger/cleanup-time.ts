/**
 * The time by which old things are deleted. It follows the database's clock; where that clock has leaped (set wrong, a
 * failover to a server that is, or nothing ran for days), it moves on by at most a day, at most every twelve hours. A clock
 * that is 45 days wrong then costs a day of history, and leaves an operator time to set it right.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface CleanupTime {
  at: Date
  /** How far it is behind the database's clock. */
  behindMs: number
}

/** Processes move it every minute; more than this at once is no usual passing of time. */
const usualStep = sql.lit('2 hours')
const largestStep = sql.lit('1 day')
const leapEvery = sql.lit('12 hours')

/** Moves it on, and returns it. A clock that was set back is followed at once: nothing is deleted too early by that. */
export async function moveCleanupTime(db: Database): Promise<CleanupTime> {
  const { rows } = await sql<CleanupTime>`
    WITH seen AS (
      SELECT now() - at > ${usualStep}::interval AS is_leap,
             leaped_at BETWEEN now() - ${leapEvery}::interval AND now() AS has_leaped
      FROM cleanup_clock FOR UPDATE
    )
    UPDATE cleanup_clock SET
      at = CASE WHEN NOT is_leap THEN now() WHEN has_leaped THEN at ELSE least(now(), at + ${largestStep}::interval) END,
      leaped_at = CASE WHEN is_leap AND NOT has_leaped THEN now() ELSE leaped_at END
    FROM seen
    RETURNING at, extract(epoch FROM now() - at)::float8 * 1000 AS behind_ms
  `.execute(db)
  const [time] = rows
  if (time === undefined) throw new Error('cleanup_clock has no row')
  return time
}
