/**
 * Reads the newest attempts of an account: those that failed from `attempts`, those that delivered from `deliveries`. Up to
 * `max` rows of each table are read along its key, also if few deliveries have an attempt. The view `all_attempts` is for
 * lookups by key: sorted, it is read as a whole.
 */
import { type RawBuilder, sql } from 'kysely'

/** `condition` is about the column `event_id`. Columns: event_id, reason, status, total_ms. */
export function newestAttempts(
  accountId: number,
  condition: RawBuilder<unknown>,
  max: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const newest = (table: string): RawBuilder<unknown> => sql`
    (SELECT event_id, reason, status, total_ms, started_at FROM ${sql.table(table)}
     WHERE account_id = ${accountId} AND ${condition} ORDER BY event_id DESC LIMIT ${max})`
  return sql`
    SELECT event_id, reason, status, total_ms FROM (${newest('attempts')} UNION ALL ${newest('deliveries')}) AS newest_rows
    WHERE started_at IS NOT NULL ORDER BY event_id DESC LIMIT ${max}`
}
