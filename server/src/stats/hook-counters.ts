/** Reads counters of hooks: deliveries of the last day, pending and held deliveries, circuit breaker. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { readStopsOf } from '../db/stops.ts'
import type { HookProblem } from '../model/hook-problem.ts'
import type { DisabledReason } from '../model/hook-state.ts'
import { indexStops, type Stop } from '../model/stop.ts'

export interface HookCounters {
  hookId: number
  enabled: boolean
  disabledReason: DisabledReason | null
  deliveredDay: number
  /** Deliveries that failed or expired. */
  failedDay: number
  attemptsDay: number
  failedAttemptsDay: number
  waiting: number
  held: number
  /** Deliveries that have been pending for longer than `overdueMinutes`. */
  overdue: number
  oldestWaitingAt: Date | null
  /** When the next pending delivery is due, if nothing holds it up. */
  nextDueAt: Date | null
  /** The last failure of pending deliveries. */
  lastFailedAt: Date | null
  failingSince: Date | null
  breaker: 'closed' | 'open' | 'probing'
  nextProbeAt: Date | null
  /** Why the hook cannot be loaded, as reported by workers. */
  problem: HookProblem | null
  /** The stop that applies to the hook. */
  stop: Stop | null
}

/** A delivery that is pending for longer counts as not delivered in success rates, until it is. */
export const overdueMinutes = 10

/** Limit for counting pending deliveries of a hook. */
const maxCounted = 100_000

/** Reads the counters of all hooks of an account, oldest first. */
export async function readHookCounters(db: Database, accountId: number): Promise<HookCounters[]> {
  const { rows } = await sql<HookCountersRow>`${hookCounters(accountId, null)} ORDER BY hooks.id`.execute(db)
  return addStops(db, accountId, rows)
}

export type HookCountersRow = Omit<HookCounters, 'stop'> & { callUrl: string }

/** Adds the stop of each hook. It depends on the host, so it is found here and not in SQL. */
export async function addStops<Row extends HookCountersRow>(
  db: Database,
  accountId: number,
  rows: readonly Row[],
): Promise<Array<Omit<Row, 'callUrl'> & Pick<HookCounters, 'stop'>>> {
  const stops = indexStops(await readStopsOf(db, accountId))
  return rows.map(({ callUrl, ...row }) => ({
    ...row,
    stop: stops.find(accountId, { id: row.hookId, host: URL.parse(callUrl)?.host ?? '' }) ?? null,
  }))
}

/** Selects a HookCountersRow for each hook of an account, or for one of them. */
export function hookCounters(accountId: number, hookId: number | null): RawBuilder<HookCountersRow> {
  return sql<HookCountersRow>`
    SELECT hooks.id AS hook_id, hooks.call_url, problem, enabled, disabled_reason, counts.*, waiting, held, overdue, oldest_waiting_at, next_due_at, last_failed_at,
           failing_since,
           CASE WHEN coalesce(open_seconds, 0) = 0 THEN 'closed' WHEN is_probing THEN 'probing' ELSE 'open' END AS breaker,
           CASE WHEN enabled AND open_seconds > 0 AND NOT is_probing THEN nullif(not_before, 'infinity') END AS next_probe_at
    FROM hooks
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(delivered), 0)::float8 AS delivered_day,
             coalesce(sum(failed + expired), 0)::float8 AS failed_day,
             coalesce(sum(attempts), 0)::float8 AS attempts_day, coalesce(sum(failures), 0)::float8 AS failed_attempts_day
      FROM rollups
      WHERE account_id = ${accountId} AND hook_id = hooks.id AND hour > now() - interval '24 hours'
    ) AS counts
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE NOT pending.held)::integer AS waiting, count(*) FILTER (WHERE pending.held)::integer AS held,
             -- A replayed event is pending since its replay, not since it was accepted.
             count(*) FILTER (WHERE NOT pending.held AND now() - ${overdueMinutes} * interval '1 minute'
                                    > CASE round WHEN 1 THEN accepted_at ELSE due_at END)::integer AS overdue,
             min(accepted_at) FILTER (WHERE NOT pending.held) AS oldest_waiting_at,
             min(due_at) FILTER (WHERE NOT pending.held) AS next_due_at, max(waits_since) AS last_failed_at
      FROM (
        SELECT work.held, round, accepted_at, due_at, waits_since FROM work
        WHERE account_id = ${accountId} AND hook_id = hooks.id ORDER BY event_id LIMIT ${maxCounted}
      ) AS pending
    ) AS backlog
    LEFT JOIN hook_failures AS failing ON failing.account_id = ${accountId} AND failing.hook_id = hooks.id
    LEFT JOIN hook_problems ON hook_problems.account_id = ${accountId} AND hook_problems.hook_id = hooks.id
    LEFT JOIN lane ON lane.account_id = ${accountId} AND lane.hook_id = hooks.id
    WHERE hooks.account_id = ${accountId} AND (${hookId}::integer IS NULL OR hooks.id = ${hookId})`
}
