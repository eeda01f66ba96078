/** Ends waiting or held work without an attempt, with the reason, and counts it: the same for every cause. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import { dayMs } from '../../model/day.ts'
import type { FinalState } from './settle.ts'

const mostRows = 1_000

/** Where the ledger begins: what is older has left it, and cannot be written down any more. */
const ledgerBegins = sql`(
  SELECT uuid_v7_floor(to_date(right(min(child.relname::text), 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
  FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
  WHERE inhparent = 'deliveries'::regclass AND NOT inhdetachpending)`

/** `which` is a condition on `work`. Answers how many were ended. A transaction that has written before begins with `beginLedgerWrite`. */
export async function finishWork(
  db: Database | Trx,
  which: RawBuilder<unknown>,
  state: FinalState,
  reason: string,
): Promise<number> {
  const answer = await sql<{ finished: number }>`
    WITH picked AS (
      SELECT account_id, hook_id, event_id FROM work WHERE ${ledgerWrite} AND (${which})
      ORDER BY account_id, hook_id, event_id LIMIT ${mostRows} FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM work USING picked
      WHERE work.account_id = picked.account_id AND work.hook_id = picked.hook_id AND work.event_id = picked.event_id
      RETURNING work.*
    ), finished AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id, hooks_version)
      SELECT account_id, event_id, hook_id, round, ${state}, ${reason}, attempts, replay_id, hooks_version FROM removed
      WHERE event_id >= ${ledgerBegins}
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
  return answer.rows[0]?.finished ?? 0
}

/**
 * What waits for a hook that was deleted is cancelled soon after, not only when it would have been due. Follows the
 * hooks' versions; a worker that attempts such work in between finds out by itself. Each hook's work is looked up by itself:
 * whatever the planner knows of the table, nothing else is read.
 */
export function cancelForDeletedHooks(db: Database): Promise<number> {
  return finishWork(
    db,
    sql`(event_id, hook_id) IN (
      SELECT found.event_id, found.hook_id FROM (
        SELECT DISTINCT account_id, hook_id FROM hook_versions
        WHERE change = 'deleted' AND at > now() - interval '5 minutes'
      ) AS deleted CROSS JOIN LATERAL (
        SELECT event_id, hook_id FROM work
        WHERE work.account_id = deleted.account_id AND work.hook_id = deleted.hook_id AND lease IS NULL
        ORDER BY work.account_id, work.hook_id, work.event_id LIMIT ${mostRows}
      ) AS found LIMIT ${mostRows})
      AND lease IS NULL`,
    'cancelled',
    'hook_deleted',
  )
}

export const heldDays = 7

export function expireHeld(db: Database, at: Date): Promise<number> {
  const before = new Date(at.getTime() - heldDays * dayMs)
  return finishWork(
    db,
    sql`lease IS NULL AND held AND accepted_at < ${before}
        -- An old event that is sent again has not been held since it was accepted.
        AND (round = 1 OR due_at < ${before})`,
    'expired',
    'held_too_long',
  )
}

/**
 * Deliveries that wait for something other than their receiver, a stop or a hook that cannot be loaded, are kept as long as
 * those of a disabled hook, from when they were due. Without an end they would keep days of the ledger for ever.
 */
export async function expireStopped(db: Database, at: Date): Promise<number> {
  const before = new Date(at.getTime() - heldDays * dayMs)
  const expire = (hooks: RawBuilder<unknown>, reason: string): Promise<number> =>
    finishWork(
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

/** What a hook holds and its owner does not want. */
export function dropHeld(db: Database, accountId: number, hookId: number): Promise<number> {
  return finishWork(
    db,
    sql`lease IS NULL AND account_id = ${accountId} AND hook_id = ${hookId} AND held`,
    'cancelled',
    'dropped_by_owner',
  )
}

/** Work of events that are about to leave the ledger, leased or not: afterwards there is nowhere to write it down. */
export function expireBefore(db: Database, before: Date): Promise<number> {
  return finishWork(db, sql`event_id < uuid_v7_floor(${before}::timestamptz)`, 'expired', 'retention')
}
