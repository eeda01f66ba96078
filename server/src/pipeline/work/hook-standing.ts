/** Where hooks stand: what they got in the last day, what waits for them, whether they are left alone for a while. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface HookStanding {
  hookId: number
  enabled: boolean
  disabledReason: string | null
  deliveredDay: number
  /** Failed or expired. */
  failedDay: number
  attemptsDay: number
  failedAttemptsDay: number
  waiting: number
  held: number
  oldestWaitingAt: Date | null
  /** Of what waits. */
  lastFailedAt: Date | null
  failingSince: Date | null
  breaker: 'closed' | 'open' | 'probing'
  nextProbeAt: Date | null
}

/** What waits for a hook is counted no further than this. */
const mostCounted = 100_000

/** Oldest first. */
export async function readStandings(db: Database, accountId: number): Promise<HookStanding[]> {
  const { rows } = await sql<HookStanding>`${standings(accountId, null)} ORDER BY hooks.id`.execute(db)
  return rows
}

/** Selects a HookStanding for each hook of an account, or for one of them. */
export function standings(accountId: number, hookId: number | null): RawBuilder<HookStanding> {
  return sql<HookStanding>`
    SELECT hooks.id AS hook_id, enabled, disabled_reason, figures.*, waiting, held, oldest_waiting_at, last_failed_at,
           failing_since,
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
    LEFT JOIN hook_failures AS failing ON failing.account_id = ${accountId} AND failing.hook_id = hooks.id
    LEFT JOIN lane ON lane.account_id = ${accountId} AND lane.hook_id = hooks.id
    WHERE hooks.account_id = ${accountId} AND (${hookId}::integer IS NULL OR hooks.id = ${hookId})`
}
