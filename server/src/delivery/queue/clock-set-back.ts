/**
 * Repairs times after the database clock was set back. Times written by the earlier clock lie in the future, and
 * deliveries would wait until then. Times later than any possible schedule become now.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { drain } from '../../runtime/drain.ts'
import { scheduleLanes } from './lanes.ts'

/** The longest retry delay is a day plus jitter. */
const maxDelay = sql`interval '30 hours'`
/** Leases, breakers and replay steps last seconds or minutes. */
const maxShortDelay = sql`interval '2 hours'`
const rowsPerBatch = 1_000

export async function repairFutureTimes(db: Database): Promise<void> {
  await sql`UPDATE inbox SET taken_until = NULL WHERE taken_until > now() + ${maxShortDelay}`.execute(db)
  await sql`UPDATE work SET lease_until = now() + interval '30 seconds'
            WHERE lease IS NOT NULL AND lease_until > now() + ${maxShortDelay}`.execute(db)
  await sql`UPDATE lane SET recovered_at = NULL, not_before = CASE WHEN not_before > now() + ${maxShortDelay} THEN now() ELSE not_before END
            WHERE recovered_at > now() OR not_before > now() + ${maxShortDelay} AND not_before < 'infinity'`.execute(
    db,
  )
  await drain(() => advanceDeliveries(db))
  await sql`UPDATE suspects SET due_at = now() WHERE due_at > now() + ${maxShortDelay}`.execute(db)
  await sql`UPDATE replays SET next_at = now() WHERE finished_at IS NULL AND next_at > now() + ${maxShortDelay}`.execute(
    db,
  )
  await sql`DELETE FROM workers WHERE seen_at > now() + ${maxShortDelay}`.execute(db)
}

/** Returns the number of deliveries made due. */
async function advanceDeliveries(db: Database): Promise<number> {
  const { rows } = await sql<{ advanced: number }>`
    WITH picked AS (
      SELECT event_id, hook_id FROM work
      WHERE due_at > now() + ${maxDelay} AND due_at < 'infinity' LIMIT ${rowsPerBatch} FOR UPDATE SKIP LOCKED
    ), advanced AS (
      UPDATE work SET due_at = now() FROM picked
      WHERE work.event_id = picked.event_id AND work.hook_id = picked.hook_id
      RETURNING work.account_id, work.hook_id, lease IS NULL AND NOT held AS is_waiting
    ), scheduled AS (
      ${scheduleLanes(sql`
        SELECT DISTINCT account_id, hook_id, now(), '' FROM advanced WHERE is_waiting`)}
    )
    SELECT count(*)::integer AS advanced FROM advanced
  `.execute(db)
  return rows[0]?.advanced ?? 0
}
