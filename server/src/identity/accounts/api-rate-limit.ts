/**
 * Counts the calls of an account per minute across all processes, in one row per account. Calls of signed-in users have
 * a separate count, so that users can always revoke a key that floods the account.
 * The tables are unlogged: a count writes no WAL, and a crash of PostgreSQL only resets the current minute.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface RateLimitState {
  limit: number
  remaining: number
  secondsLeft: number
  isExceeded: boolean
}

export async function countCall(
  db: Database,
  accountId: number,
  by: 'clients' | 'users',
  limit: number,
): Promise<RateLimitState> {
  const table = sql.table(by === 'clients' ? 'call_counts' : 'people_call_counts')
  const result = await sql<{ calls: number; secondsLeft: number }>`
    INSERT INTO ${table} AS existing (account_id, minute, calls)
    VALUES (${accountId}, date_trunc('minute', now()), 1)
    ON CONFLICT (account_id) DO UPDATE SET
      calls = CASE WHEN existing.minute = excluded.minute THEN existing.calls + 1 ELSE 1 END,
      minute = excluded.minute
    RETURNING calls, ceil(60 - extract(second FROM now()))::integer AS seconds_left
  `.execute(db)
  const { calls, secondsLeft } = result.rows[0] ?? { calls: 1, secondsLeft: 60 }
  return { limit, remaining: Math.max(0, limit - calls), secondsLeft, isExceeded: calls > limit }
}
