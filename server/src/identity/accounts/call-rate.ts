/**
 * How many calls an account makes in a minute, over all processes: one row an account, counted by the database.
 * The table is unlogged, so a count costs no WAL and no flush, and PostgreSQL's crash only starts the minute anew.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface CallRate {
  limit: number
  remaining: number
  secondsLeft: number
  isOver: boolean
}

export async function countCall(db: Database, accountId: number, limit: number): Promise<CallRate> {
  const answer = await sql<{ calls: number; secondsLeft: number }>`
    INSERT INTO call_counts AS known (account_id, minute, calls)
    VALUES (${accountId}, date_trunc('minute', now()), 1)
    ON CONFLICT (account_id) DO UPDATE SET
      calls = CASE WHEN known.minute = excluded.minute THEN known.calls + 1 ELSE 1 END,
      minute = excluded.minute
    RETURNING calls, ceil(60 - extract(second FROM now()))::integer AS seconds_left
  `.execute(db)
  const { calls, secondsLeft } = answer.rows[0] ?? { calls: 1, secondsLeft: 60 }
  return { limit, remaining: Math.max(0, limit - calls), secondsLeft, isOver: calls > limit }
}
