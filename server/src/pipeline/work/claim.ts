/**
 * Takes due work, in turn over the hooks: lanes by due time, then a few rows of each. A lane with more work goes behind
 * those that wait, so a hook with a huge backlog gets its turns and no more. A claim is a lease: whoever holds it past
 * its end has lost it.
 *
 * Two statements in one transaction, for a reason: a lane may be removed only by someone who sees all of its work. The
 * first statement locks the lanes; the second, begun after that, sees what was committed before, and whoever adds work to
 * such a lane afterwards waits for the lock and finds out whether to make the lane anew.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import type { DeliverableType } from '../../model/event.ts'

export interface ClaimedDelivery {
  accountId: number
  hookId: number
  eventId: string
  round: number
  type: DeliverableType
  data: string
  acceptedAt: Date
  /** Attempts made before. */
  attempts: number
  /** The version of the account's hooks when it was claimed. */
  version: string
}

const rowsALane = 4

export async function claimDue(
  db: Database,
  most: number,
  lease: { id: string; seconds: number },
  /** Hooks that have as many attempts under way here as they may: their turn can wait. */
  fullHooks: readonly number[],
): Promise<ClaimedDelivery[]> {
  return db.transaction().execute(async (trx) => {
    const turns = await takeTurns(trx, most, fullHooks)
    return turns.length === 0 ? [] : claimOf(trx, turns, most, lease)
  })
}

interface Turn {
  accountId: number
  hookId: number
}

async function takeTurns(trx: Trx, most: number, fullHooks: readonly number[]): Promise<Turn[]> {
  const answer = await sql<Turn>`
    SELECT account_id, hook_id FROM lane
    WHERE due_at <= now() AND NOT hook_id = ANY (${[...fullHooks]}::integer[])
    ORDER BY due_at LIMIT ${most} FOR UPDATE SKIP LOCKED
  `.execute(trx)
  return answer.rows
}

async function claimOf(
  trx: Trx,
  turns: readonly Turn[],
  most: number,
  lease: { id: string; seconds: number },
): Promise<ClaimedDelivery[]> {
  const answer = await sql<ClaimedDelivery>`
    WITH turns AS MATERIALIZED (
      SELECT * FROM unnest(
        ${turns.map((turn) => turn.accountId)}::integer[], ${turns.map((turn) => turn.hookId)}::integer[]
      ) AS turns (account_id, hook_id)
    ), picked AS MATERIALIZED (
      SELECT due.* FROM turns CROSS JOIN LATERAL (
        SELECT account_id, hook_id, event_id FROM work
        WHERE work.account_id = turns.account_id AND work.hook_id = turns.hook_id
          AND lease IS NULL AND NOT held AND due_at <= now()
        ORDER BY due_at LIMIT ${rowsALane} FOR UPDATE SKIP LOCKED
      ) AS due LIMIT ${most}
    ), leased AS (
      UPDATE work SET lease = ${lease.id}, lease_until = now() + make_interval(secs => ${lease.seconds})
      FROM picked
      WHERE work.account_id = picked.account_id AND work.hook_id = picked.hook_id AND work.event_id = picked.event_id
      RETURNING work.*
    ), following AS MATERIALIZED (
      -- Still the state before this statement: the picked rows come first, the one after them is next.
      SELECT turns.*, (
        SELECT work.due_at FROM work
        WHERE work.account_id = turns.account_id AND work.hook_id = turns.hook_id AND lease IS NULL AND NOT held
        ORDER BY work.due_at
        OFFSET (SELECT count(*) FROM picked
                WHERE picked.account_id = turns.account_id AND picked.hook_id = turns.hook_id)
        LIMIT 1
      ) AS next_at FROM turns
    ), emptied AS (
      DELETE FROM lane USING following
      WHERE lane.account_id = following.account_id AND lane.hook_id = following.hook_id AND next_at IS NULL
    ), turned AS (
      UPDATE lane SET due_at = greatest(next_at, now()) FROM following
      WHERE lane.account_id = following.account_id AND lane.hook_id = following.hook_id AND next_at IS NOT NULL
    )
    SELECT leased.account_id, leased.hook_id, leased.event_id, leased.round, leased.type, leased.accepted_at,
           leased.attempts, events.data, accounts.hooks_version AS version
    FROM leased
    JOIN events ON events.account_id = leased.account_id AND events.id = leased.event_id
    JOIN accounts ON accounts.id = leased.account_id
  `.execute(trx)
  return answer.rows
}

/** Gives back what was claimed and cannot be attempted here now. */
export async function releaseClaimed(
  db: Database,
  lease: string,
  rows: readonly ClaimedDelivery[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    WITH released AS (
      UPDATE work SET lease = NULL, lease_until = NULL
      FROM unnest(
        ${rows.map((row) => row.accountId)}::integer[],
        ${rows.map((row) => row.hookId)}::integer[],
        ${rows.map((row) => row.eventId)}::uuid[]
      ) AS given (account_id, hook_id, event_id)
      WHERE work.account_id = given.account_id AND work.hook_id = given.hook_id AND work.event_id = given.event_id
        AND work.lease = ${lease}
      RETURNING work.account_id, work.hook_id
    )
    INSERT INTO lane (account_id, hook_id, due_at)
    SELECT DISTINCT account_id, hook_id, now() FROM released ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET due_at = least(lane.due_at, excluded.due_at)
  `.execute(db)
}

/** Work whose lease has ended without a settlement becomes due again: its worker died or was too slow. */
export async function releaseExpiredLeases(db: Database, most: number): Promise<number> {
  const answer = await sql<{ released: number }>`
    WITH expired AS (
      SELECT account_id, hook_id, event_id FROM work WHERE lease IS NOT NULL AND lease_until < now()
      ORDER BY lease_until LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), released AS (
      UPDATE work SET lease = NULL, lease_until = NULL, due_at = now() FROM expired
      WHERE work.account_id = expired.account_id AND work.hook_id = expired.hook_id AND work.event_id = expired.event_id
      RETURNING work.account_id, work.hook_id
    ), turns AS (
      INSERT INTO lane (account_id, hook_id, due_at)
      SELECT DISTINCT account_id, hook_id, now() FROM released ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id) DO UPDATE SET due_at = least(lane.due_at, excluded.due_at)
    )
    SELECT count(*)::integer AS released FROM released
  `.execute(db)
  return answer.rows[0]?.released ?? 0
}
