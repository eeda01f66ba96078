/** Finishes pending or held deliveries without an attempt, with a reason, and counts them. All causes use this. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import { dayMs } from '../../model/day.ts'
import type { FinalState } from '../../model/delivery/delivery.ts'

const maxRows = 1_000

/** The first event id of the ledger. Older deliveries can no longer be recorded. */
const firstLedgerId = sql`(
  SELECT uuid_v7_floor(to_date(right(min(child.relname::text), 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
  FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
  WHERE inhparent = 'deliveries'::regclass AND NOT inhdetachpending)`

/**
 * Finishes the deliveries that match `which`, a condition on `work`. Returns their number. A transaction that writes
 * earlier must call `beginLedgerWrite` first.
 */
export async function finishDeliveries(
  db: Database | Trx,
  which: RawBuilder<unknown>,
  state: FinalState,
  reason: string,
): Promise<number> {
  const result = await sql<{ finished: number }>`
    WITH picked AS (
      SELECT account_id, hook_id, event_id FROM work WHERE ${ledgerWrite} AND (${which})
      ORDER BY account_id, hook_id, event_id LIMIT ${maxRows} FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM work USING picked
      WHERE work.account_id = picked.account_id AND work.hook_id = picked.hook_id AND work.event_id = picked.event_id
      RETURNING work.*
    ), finished AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id, hooks_version)
      SELECT account_id, event_id, hook_id, round, ${state}, ${reason}, attempts, replay_id, hooks_version FROM removed
      WHERE event_id >= ${firstLedgerId}
      ON CONFLICT DO NOTHING RETURNING account_id, hook_id
    ), counted AS (
      INSERT INTO rollups (account_id, hook_id, hour, ${sql.ref(state)})
      SELECT account_id, hook_id, date_trunc('hour', now()), count(*) FROM finished
      GROUP BY account_id, hook_id ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id, hour)
      DO UPDATE SET ${sql.ref(state)} = ${sql.ref(`rollups.${state}`)} + ${sql.ref(`excluded.${state}`)}
    )
    SELECT count(*)::integer AS finished FROM removed
  `.execute(db)
  return result.rows[0]?.finished ?? 0
}

/**
 * Cancels deliveries of deleted hooks soon after the deletion, not only when they are due. Follows the hooks'
 * versions. A worker that attempts such a delivery meanwhile notices the deletion itself. Each hook's rows are looked
 * up separately, so nothing else is read whatever the planner's statistics.
 */
export function cancelForDeletedHooks(db: Database): Promise<number> {
  return finishDeliveries(
    db,
    sql`(event_id, hook_id) IN (
      SELECT found.event_id, found.hook_id FROM (
        SELECT DISTINCT account_id, hook_id FROM hook_versions
        WHERE change = 'deleted' AND at > now() - interval '5 minutes'
      ) AS deleted CROSS JOIN LATERAL (
        SELECT event_id, hook_id FROM work
        WHERE work.account_id = deleted.account_id AND work.hook_id = deleted.hook_id AND lease IS NULL
        ORDER BY work.account_id, work.hook_id, work.event_id LIMIT ${maxRows}
      ) AS found LIMIT ${maxRows})
      AND lease IS NULL`,
    'cancelled',
    'hook_deleted',
  )
}

export const heldDays = 7

export function expireHeld(db: Database, at: Date): Promise<number> {
  const before = new Date(at.getTime() - heldDays * dayMs)
  return finishDeliveries(
    db,
    sql`lease IS NULL AND held AND accepted_at < ${before}
        -- A replayed event has not been on hold since it was accepted.
        AND (round = 1 OR due_at < ${before})`,
    'expired',
    'held_too_long',
  )
}

/**
 * Expires deliveries held up by a stop or by a hook that cannot be loaded. The limit is that of disabled hooks,
 * counted from the due time. Without a limit they would keep days of the ledger forever.
 */
export async function expireStopped(db: Database, at: Date): Promise<number> {
  const before = new Date(at.getTime() - heldDays * dayMs)
  const expire = (hooks: RawBuilder<unknown>, reason: string): Promise<number> =>
    finishDeliveries(
      db,
      sql`lease IS NULL AND NOT held AND (account_id, hook_id) IN (${hooks})
          AND accepted_at < ${before} AND due_at < ${before}`,
      'expired',
      reason,
    )
  const stopped = await expire(
    sql`SELECT account_id, hook_id FROM lane WHERE stop_id IS NOT NULL`,
    'stopped_too_long',
  )
  return stopped + (await expire(sql`SELECT account_id, hook_id FROM hook_problems`, 'unloadable_too_long'))
}

/** Discards the held deliveries of a hook at the account's request. */
export function discardHeld(db: Database, accountId: number, hookId: number): Promise<number> {
  return finishDeliveries(
    db,
    sql`lease IS NULL AND account_id = ${accountId} AND hook_id = ${hookId} AND held`,
    'cancelled',
    'discarded',
  )
}

/**
 * Expires deliveries of events that are about to leave the ledger, leased or not: afterwards they cannot be recorded.
 */
export function expireBefore(db: Database, before: Date): Promise<number> {
  return finishDeliveries(db, sql`event_id < uuid_v7_floor(${before}::timestamptz)`, 'expired', 'retention')
}
