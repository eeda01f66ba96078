/**
 * Reads the newest attempts of an account: those that failed from `attempts`, those that delivered from `deliveries`. Both
 * are read along their key up to the limit. The view `all_attempts` is for lookups by key: sorted, it is read as a whole.
 */
import { type RawBuilder, sql } from 'kysely'

/** `condition` is about the column `event_id`. Columns: event_id, reason, status, total_ms. */
export function newestAttempts(
  accountId: number,
  condition: RawBuilder<unknown>,
  max: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const newest = (table: string, attempted: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    (SELECT event_id, reason, status, total_ms FROM ${sql.table(table)}
     WHERE account_id = ${accountId} AND ${condition} AND ${attempted}
     ORDER BY event_id DESC LIMIT ${max})`
  return sql`
    SELECT * FROM (
      ${newest('attempts', sql`true`)} UNION ALL ${newest('deliveries', sql`started_at IS NOT NULL`)}
    ) AS newest_attempts
    ORDER BY event_id DESC LIMIT ${max}`
}
