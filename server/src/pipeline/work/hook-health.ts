/** How hooks are doing: where they stand, and what their receivers do. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { addStops, type HookStanding, type StandingRow, standings } from './hook-standing.ts'

export interface HookHealth extends Omit<HookStanding, 'enabled' | 'disabledReason' | 'lastFailedAt'> {
  lastAttemptAt: Date | null
  lastDeliveredAt: Date | null
  receiverP50Ms: number | null
  receiverP95Ms: number | null
}

/** The newest deliveries say how quick a receiver is and when it was last called, and so do the oldest that still wait. */
const recentDeliveries = 100
const oldestWaiting = 20

/** Of all hooks of an account, or of one. */
export async function readHealth(
  db: Database,
  accountId: number,
  hookId: number | null,
): Promise<Map<number, HookHealth>> {
  const { rows } = await sql<StandingRow & HookHealth>`
    SELECT standing.*, last_delivered_at, greatest(last_started_at, last_failed_at) AS last_attempt_at,
           receiver_p50_ms, receiver_p95_ms
    FROM (${standings(accountId, hookId)}) AS standing
    CROSS JOIN LATERAL (
      SELECT max(started_at) AS last_started_at, max(started_at) FILTER (WHERE reason = 'delivered') AS last_delivered_at,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE status IS NOT NULL) AS receiver_p50_ms,
             percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE status IS NOT NULL) AS receiver_p95_ms
      FROM (
        (SELECT event_id, round FROM deliveries
         WHERE account_id = ${accountId} AND hook_id = standing.hook_id ORDER BY event_id DESC LIMIT ${recentDeliveries})
        UNION ALL
        (SELECT event_id, round FROM work
         WHERE account_id = ${accountId} AND hook_id = standing.hook_id ORDER BY event_id LIMIT ${oldestWaiting})
      ) AS recent
      -- Each by its key: as a join the planner may read all attempts of the account instead.
      CROSS JOIN LATERAL (
        SELECT started_at, reason, status, total_ms FROM attempts
        WHERE attempts.account_id = ${accountId} AND attempts.event_id = recent.event_id
          AND attempts.hook_id = standing.hook_id AND attempts.round = recent.round
        ORDER BY attempt LIMIT 100
      ) AS made
    ) AS receiver
  `.execute(db)
  return new Map((await addStops(db, accountId, rows)).map((row) => [row.hookId, row]))
}

/** What the owner of a hook was warned of, newest first. */
export function readWarnings(
  db: Database,
  accountId: number,
  hookId: number,
): Promise<Array<{ kind: string; at: Date }>> {
  return db
    .selectFrom('hookWarnings')
    .select(['kind', 'at'])
    .where('accountId', '=', accountId)
    .where('hookId', '=', hookId)
    .orderBy('at', 'desc')
    .limit(100)
    .execute()
}
