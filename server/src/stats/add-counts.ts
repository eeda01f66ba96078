/**
 * Adds the counts of recent commits to the hourly rollups. A settled or routed batch inserts one row into
 * `rollup_deltas`, and does not update a row per hook. So rollups are about a second behind.
 * Rows are deleted and added in one commit: each is added once, whatever fails.
 *
 * Stages: batch (rows to add, if no other worker adds) → taken (rows removed) → counts (one row per hook or account) →
 * deliveries_added, events_added (rollups).
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Limit per statement, so each is short. */
const rowsPerBatch = 500

/** Adds all rows, unless another worker is doing so. Rows that are inserted meanwhile may wait for the next run. */
export async function addCounts(db: Database): Promise<void> {
  let added: number
  do added = await addBatch(db)
  while (added === rowsPerBatch)
}

async function addBatch(db: Database): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    WITH batch AS MATERIALIZED (
      SELECT ctid FROM rollup_deltas WHERE (SELECT pg_try_advisory_xact_lock(hashtext('hookline rollups')))
      LIMIT ${sql.lit(rowsPerBatch)}
    ), taken AS (
      -- A row that another worker removed just before it released the lock is not returned.
      DELETE FROM rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM batch))
      RETURNING hour, account_ids, hook_ids, counts
    ), counts AS MATERIALIZED (
      SELECT account_id, hook_id, hour, sum(count) AS count
      FROM taken CROSS JOIN LATERAL unnest(account_ids, hook_ids, counts) AS counted (account_id, hook_id, count)
      GROUP BY account_id, hook_id, hour
    ), deliveries_added AS (
      -- In the order in which other statements lock rows of several hooks.
      INSERT INTO rollups (account_id, hook_id, hour, delivered, attempts)
      SELECT account_id, hook_id, hour, count, count FROM counts WHERE hook_id IS NOT NULL
      ORDER BY account_id, hook_id, hour
      ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET
        delivered = rollups.delivered + excluded.delivered, attempts = rollups.attempts + excluded.attempts
    ), events_added AS (
      INSERT INTO event_rollups (account_id, hour, events)
      SELECT account_id, hour, count FROM counts WHERE hook_id IS NULL ORDER BY account_id, hour
      ON CONFLICT (account_id, hour) DO UPDATE SET events = event_rollups.events + excluded.events
    )
    SELECT count(*)::integer AS added FROM taken
  `.execute(db)
  return rows[0]?.added ?? 0
}
