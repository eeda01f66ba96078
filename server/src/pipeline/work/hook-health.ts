/** How hooks are doing: what they got in the last day, what waits for them, what their receivers do. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface HookHealth {
  hookId: number
  deliveredDay: number
  /** Failed or expired. */
  failedDay: number
  attemptsDay: number
  failedAttemptsDay: number
  waiting: number
  held: number
  oldestWaitingAt: Date | null
  lastAttemptAt: Date | null
  lastDeliveredAt: Date | null
  failingSince: Date | null
  breaker: 'closed' | 'open' | 'probing'
  nextProbeAt: Date | null
  receiverP50Ms: number | null
  receiverP95Ms: number | null
}

/** What waits is counted no further than this. */
const mostCounted = 100_000
/** The newest deliveries say how quick a receiver is and when it was last called. */
const recentDeliveries = 100

/** Of all hooks of an account, or of one. */
export async function readHealth(
  db: Database,
  accountId: number,
  hookId: number | null,
): Promise<Map<number, HookHealth>> {
  const { rows } = await sql<HookHealth>`
    SELECT hooks.id AS hook_id, figures.*, waiting, held, oldest_waiting_at, last_delivered_at, failing_since,
           greatest(last_started_at, last_failed_at) AS last_attempt_at, receiver_p50_ms, receiver_p95_ms,
           CASE WHEN coalesce(open_seconds, 0) = 0 THEN 'closed' WHEN is_probing THEN 'probing' ELSE 'open' END AS breaker,
           CASE WHEN open_seconds > 0 AND NOT is_probing THEN not_before END AS next_probe_at
    FROM hooks
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(delivered), 0)::float8 AS delivered_day,
             coalesce(sum(failed + expired), 0)::float8 AS failed_day,
             coalesce(sum(attempts), 0)::float8 AS attempts_day, coalesce(sum(failures), 0)::float8 AS failed_attempts_day
      FROM rollups
      WHERE account_id = ${accountId} AND hook_id = hooks.id AND hour > now() - interval '24 hours'
    ) AS figures
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE NOT own.held)::integer AS waiting, count(*) FILTER (WHERE own.held)::integer AS held,
             min(accepted_at) FILTER (WHERE NOT own.held) AS oldest_waiting_at, max(waits_since) AS last_failed_at
      FROM (
        SELECT work.held, accepted_at, waits_since FROM work
        WHERE account_id = ${accountId} AND hook_id = hooks.id ORDER BY event_id LIMIT ${mostCounted}
      ) AS own
    ) AS backlog
    CROSS JOIN LATERAL (
      SELECT max(started_at) AS last_started_at, max(started_at) FILTER (WHERE reason = 'delivered') AS last_delivered_at,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE status IS NOT NULL) AS receiver_p50_ms,
             percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE status IS NOT NULL) AS receiver_p95_ms
      FROM (
        SELECT event_id, round FROM deliveries
        WHERE account_id = ${accountId} AND hook_id = hooks.id ORDER BY event_id DESC LIMIT ${recentDeliveries}
      ) AS recent
      -- Each by its key: as a join the planner may read all attempts of the account instead.
      CROSS JOIN LATERAL (
        SELECT started_at, reason, status, total_ms FROM attempts
        WHERE attempts.account_id = ${accountId} AND attempts.event_id = recent.event_id
          AND attempts.hook_id = hooks.id AND attempts.round = recent.round
        ORDER BY attempt LIMIT 100
      ) AS made
    ) AS receiver
    LEFT JOIN hook_failures AS failing ON failing.account_id = ${accountId} AND failing.hook_id = hooks.id
    LEFT JOIN lane ON lane.account_id = ${accountId} AND lane.hook_id = hooks.id
    WHERE hooks.account_id = ${accountId} AND (${hookId}::integer IS NULL OR hooks.id = ${hookId})
  `.execute(db)
  return new Map(rows.map((row) => [row.hookId, row]))
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
