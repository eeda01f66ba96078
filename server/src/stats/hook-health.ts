/** Reads the health of hooks: their counters, and the response times of their receivers. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { addStops, type HookCounters, type HookCountersRow, hookCounters } from './hook-counters.ts'

export interface HookHealth extends Omit<HookCounters, 'enabled' | 'disabledReason' | 'lastFailedAt'> {
  lastAttemptAt: Date | null
  lastDeliveredAt: Date | null
  receiverP50Ms: number | null
  receiverP95Ms: number | null
}

/** Response times and the last attempt are read from the newest deliveries and the oldest pending ones. */
const recentDeliveries = 100
const oldestWaiting = 20

/** Reads the health of all hooks of an account, or of one. */
export async function readHealth(
  db: Database,
  accountId: number,
  hookId: number | null,
): Promise<Map<number, HookHealth>> {
  const { rows } = await sql<HookCountersRow & HookHealth>`
    SELECT counters.*, last_delivered_at, greatest(last_started_at, last_failed_at) AS last_attempt_at,
           receiver_p50_ms, receiver_p95_ms
    FROM (${hookCounters(accountId, hookId)}) AS counters
    CROSS JOIN LATERAL (
      SELECT max(started_at) AS last_started_at, max(started_at) FILTER (WHERE reason = 'delivered') AS last_delivered_at,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE status IS NOT NULL) AS receiver_p50_ms,
             percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE status IS NOT NULL) AS receiver_p95_ms
      FROM (
        (SELECT event_id, round FROM deliveries
         WHERE account_id = ${accountId} AND hook_id = counters.hook_id ORDER BY event_id DESC LIMIT ${recentDeliveries})
        UNION ALL
        (SELECT event_id, round FROM work
         WHERE account_id = ${accountId} AND hook_id = counters.hook_id ORDER BY event_id LIMIT ${oldestWaiting})
      ) AS recent
      -- Each by its key: as a join, the planner may read all attempts of the account.
      CROSS JOIN LATERAL (
        SELECT started_at, reason, status, total_ms FROM all_attempts
        WHERE all_attempts.account_id = ${accountId} AND all_attempts.event_id = recent.event_id
          AND all_attempts.hook_id = counters.hook_id AND all_attempts.round = recent.round
        ORDER BY attempt LIMIT 100
      ) AS delivery_attempts
    ) AS receiver
  `.execute(db)
  return new Map((await addStops(db, accountId, rows)).map((row) => [row.hookId, row]))
}

/** Returns the recorded warnings of a hook, newest first. */
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
