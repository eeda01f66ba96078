/**
 * The time that cleanup jobs compare with. It follows the database clock. If that clock has jumped (set wrong,
 * failover to such a server, or nothing ran for days), it advances by at most a day, at most every twelve hours. So a
 * clock that is 45 days wrong costs one day of history per 12 hours, and leaves the operator time to correct it.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export interface CleanupTime {
  at: Date
  /** Lag behind the database clock. */
  behindMs: number
}

/** Processes advance it every minute. A larger step is not normal passage of time. */
const defaultStep = sql.lit('2 hours')
const maxStep = sql.lit('1 day')
const leapEvery = sql.lit('12 hours')

/**
 * Advances the cleanup time and returns it. A clock that was set back is followed immediately: that deletes nothing
 * too early.
 */
export async function advanceCleanupTime(db: Database): Promise<CleanupTime> {
  const { rows } = await sql<CleanupTime>`
    WITH current_clock AS (
      SELECT now() - at > ${defaultStep}::interval AS is_leap,
             leaped_at BETWEEN now() - ${leapEvery}::interval AND now() AS has_leaped
      FROM cleanup_clock FOR UPDATE
    )
    UPDATE cleanup_clock SET
      at = CASE WHEN NOT is_leap THEN now() WHEN has_leaped THEN at ELSE least(now(), at + ${maxStep}::interval) END,
      leaped_at = CASE WHEN is_leap AND NOT has_leaped THEN now() ELSE leaped_at END
    FROM current_clock
    RETURNING at, extract(epoch FROM now() - at)::float8 * 1000 AS behind_ms
  `.execute(db)
  const [time] = rows
  if (time === undefined) throw new Error('cleanup_clock has no row')
  return time
}
