/**
 * After the database's clock was set back: times that were written by the clock before lie in a future that nothing plans
 * for, and work would wait until then. What cannot have been planned by the clock of now is due now.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { untilNone } from '../../ops/until-none.ts'
import { addTurns } from './turns.ts'

/** The longest delay before a retry is a day and its jitter. */
const maxDelay = sql`interval '30 hours'`
/** Leases, breakers and steps of replays last for seconds or minutes. */
const soon = sql`interval '2 hours'`
const rowsAtOnce = 1_000

export async function repairFutureTimes(db: Database): Promise<void> {
  await sql`UPDATE inbox SET taken_until = NULL WHERE taken_until > now() + ${soon}`.execute(db)
  await sql`UPDATE work SET lease_until = now() + interval '30 seconds'
            WHERE lease IS NOT NULL AND lease_until > now() + ${soon}`.execute(db)
  await sql`UPDATE lane SET recovered_at = NULL, not_before = least(not_before, now())
            WHERE recovered_at > now() + ${soon} OR not_before > now() + ${soon} AND not_before < 'infinity'`.execute(
    db,
  )
  await untilNone(() => advanceWork(db))
  await sql`UPDATE suspects SET due_at = now() WHERE due_at > now() + ${soon}`.execute(db)
  await sql`UPDATE replays SET next_at = now() WHERE finished_at IS NULL AND next_at > now() + ${soon}`.execute(
    db,
  )
  await sql`DELETE FROM workers WHERE seen_at > now() + ${soon}`.execute(db)
}

/** Returns the number of deliveries that are due now. */
async function advanceWork(db: Database): Promise<number> {
  const { rows } = await sql<{ advanced: number }>`
    WITH picked AS (
      SELECT event_id, hook_id FROM work
      WHERE due_at > now() + ${maxDelay} AND due_at < 'infinity' LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED
    ), advanced AS (
      UPDATE work SET due_at = now() FROM picked
      WHERE work.event_id = picked.event_id AND work.hook_id = picked.hook_id
      RETURNING work.account_id, work.hook_id, lease IS NULL AND NOT held AS is_waiting
    ), turns AS (
      ${addTurns(sql`
        SELECT DISTINCT account_id, hook_id, now(), '' FROM advanced WHERE is_waiting`)}
    )
    SELECT count(*)::integer AS advanced FROM advanced
  `.execute(db)
  return rows[0]?.advanced ?? 0
}
