/** Where hooks stand: what they got in the last day, what waits for them, whether they are left alone for a while. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { readStopsOf } from '../../db/stops.ts'
import type { HookProblem } from '../../model/hook-problem.ts'
import { indexStops, type Stop } from '../../model/stop.ts'

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
  /** Why it cannot be loaded, as workers have met it. */
  problem: HookProblem | null
  /** What an operator has stopped, if it concerns the hook. */
  stop: Stop | null
}

/** What waits for a hook is counted no further than this. */
const mostCounted = 100_000

/** Oldest first. */
export async function readStandings(db: Database, accountId: number): Promise<HookStanding[]> {
  const { rows } = await sql<StandingRow>`${standings(accountId, null)} ORDER BY hooks.id`.execute(db)
  return addStops(db, accountId, rows)
}

export type StandingRow = Omit<HookStanding, 'stop'> & { callUrl: string }

/** Which stop concerns a hook depends on its host, so it is found out here. */
export async function addStops<Row extends StandingRow>(
  db: Database,
  accountId: number,
  rows: readonly Row[],
): Promise<Array<Omit<Row, 'callUrl'> & Pick<HookStanding, 'stop'>>> {
  const stops = indexStops(await readStopsOf(db, accountId))
  return rows.map(({ callUrl, ...row }) => ({
    ...row,
    stop: stops.find(accountId, { id: row.hookId, host: URL.parse(callUrl)?.host ?? '' }) ?? null,
  }))
}

/** Selects a StandingRow for each hook of an account, or for one of them. */
export function standings(accountId: number, hookId: number | null): RawBuilder<StandingRow> {
  return sql<StandingRow>`
    SELECT hooks.id AS hook_id, hooks.call_url, problem, enabled, disabled_reason, figures.*, waiting, held, oldest_waiting_at, last_failed_at,
           failing_since,
           CASE WHEN coalesce(open_seconds, 0) = 0 THEN 'closed' WHEN is_probing THEN 'probing' ELSE 'open' END AS breaker,
           CASE WHEN open_seconds > 0 AND NOT is_probing THEN nullif(not_before, 'infinity') END AS next_probe_at
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
    LEFT JOIN hook_problems ON hook_problems.account_id = ${accountId} AND hook_problems.hook_id = hooks.id
    LEFT JOIN lane ON lane.account_id = ${accountId} AND lane.hook_id = hooks.id
    WHERE hooks.account_id = ${accountId} AND (${hookId}::integer IS NULL OR hooks.id = ${hookId})`
}
