/**
 * Counts the deliveries of a replay: which of a selection can be sent, why others are pending, and how they ended. Every
 * statement names the account.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { integer, unnestRows, uuid } from '../../db/rows.ts'
import type { DeliveryName, ReplayName } from './replay-rounds.ts'

/** Deliveries by whether a replay would send them. Missing: they never existed or left the ledger. */
export interface Sendable {
  ready: number
  disabled: number
  deleted: number
  pending: number
  missing: number
  /** Disabled hooks among them. */
  disabledHooks: number[]
}

export async function countSendable(
  db: Database | Trx,
  accountId: number,
  deliveries: readonly DeliveryName[],
): Promise<Sendable> {
  const sendable: Sendable = { ready: 0, disabled: 0, deleted: 0, pending: 0, missing: 0, disabledHooks: [] }
  if (deliveries.length === 0) return sendable
  const { rows } = await sql<{
    hookId: number
    kind: Exclude<keyof Sendable, 'disabledHooks'>
    count: number
  }>`
    SELECT input.hook_id, count(*)::integer AS count,
           CASE WHEN earlier.exists IS NULL AND pending.exists IS NULL THEN 'missing'
                WHEN hook.enabled IS NULL THEN 'deleted'
                WHEN NOT hook.enabled THEN 'disabled'
                WHEN pending.exists THEN 'pending'
                ELSE 'ready' END AS kind
    FROM ${unnestRows('input', deliveries, {
      event_id: uuid(({ eventId }) => eventId),
      hook_id: integer(({ hookId }) => hookId),
    })}
    LEFT JOIN LATERAL (
      SELECT enabled FROM hooks WHERE account_id = ${accountId} AND hooks.id = input.hook_id LIMIT 1
    ) AS hook ON true
    LEFT JOIN LATERAL (
      SELECT true AS exists FROM deliveries
      WHERE account_id = ${accountId} AND event_id = input.event_id AND hook_id = input.hook_id LIMIT 1
    ) AS earlier ON true
    LEFT JOIN LATERAL (
      SELECT true AS exists FROM work
      WHERE account_id = ${accountId} AND event_id = input.event_id AND hook_id = input.hook_id LIMIT 1
    ) AS pending ON true
    GROUP BY input.hook_id, kind ORDER BY input.hook_id
  `.execute(db)
  for (const { hookId, kind, count } of rows) {
    sendable[kind] += count
    if (kind === 'disabled') sendable.disabledHooks.push(hookId)
  }
  return sendable
}

/** Why deliveries of a replay are pending. Those that are only queued are not listed. */
export const waitReasons = [
  'disabled',
  'stopped',
  'circuit_open',
  'quarantined',
  'rate_limit',
  'retrying',
] as const

export interface Waiting {
  reason: (typeof waitReasons)[number]
  count: number
  /** One of the hooks. */
  hookId: number
}

interface UnfinishedCounts {
  /** Unfinished deliveries. */
  unfinished: number
  /** Those that could be attempted now and have not been. */
  unattempted: number
  /** Those in flight or with a scheduled attempt. */
  scheduled: number
  waiting: Waiting[]
}

/** Counts by hook first: a replay has many deliveries and few hooks. */
export async function countUnfinished(
  db: Database,
  { accountId, id }: ReplayName,
): Promise<UnfinishedCounts> {
  const result = await sql<UnfinishedCounts>`
    WITH by_hook AS MATERIALIZED (
      SELECT hook_id, count(*) AS unfinished, count(*) FILTER (WHERE attempts = 0 AND NOT held) AS unattempted,
             count(*) FILTER (WHERE lease IS NOT NULL OR due_at < 'infinity') AS scheduled,
             count(*) FILTER (WHERE lease IS NULL AND held) AS held,
             count(*) FILTER (WHERE lease IS NULL AND NOT held AND due_at = 'infinity') AS suspended,
             count(*) FILTER (WHERE lease IS NULL AND NOT held AND due_at < 'infinity') AS due,
             count(*) FILTER (
               WHERE lease IS NULL AND NOT held AND due_at < 'infinity' AND attempts > 0 AND due_at > now()) AS retrying
      FROM work WHERE account_id = ${accountId} AND replay_id = ${id} GROUP BY hook_id
    ), counted AS MATERIALIZED (
      SELECT by_hook.*, coalesce(breaker.is_open, false) AS is_open, coalesce(breaker.is_stopped, false) AS is_stopped,
             coalesce(hook.is_limited, false) AS is_limited
      FROM by_hook
      LEFT JOIN LATERAL (
        SELECT open_seconds > 0 AS is_open, stop_id IS NOT NULL AS is_stopped FROM lane
        WHERE lane.account_id = ${accountId} AND lane.hook_id = by_hook.hook_id LIMIT 1
      ) AS breaker ON true
      LEFT JOIN LATERAL (
        SELECT max_per_second IS NOT NULL AS is_limited FROM hooks
        WHERE hooks.account_id = ${accountId} AND hooks.id = by_hook.hook_id LIMIT 1
      ) AS hook ON true
    ), waiting AS (
      SELECT reason, sum(count)::integer AS count, min(hook_id) AS hook_id
      FROM counted CROSS JOIN LATERAL (VALUES
        ('disabled', held), ('quarantined', suspended),
        ('stopped', CASE WHEN is_stopped THEN due END),
        ('circuit_open', CASE WHEN is_open AND NOT is_stopped THEN due END),
        ('retrying', CASE WHEN NOT is_open AND NOT is_stopped THEN retrying END),
        ('rate_limit', CASE WHEN is_limited AND NOT is_open AND NOT is_stopped THEN due - retrying END)
      ) AS by_reason (reason, count)
      WHERE count > 0 GROUP BY reason
    )
    SELECT coalesce(sum(unfinished), 0)::integer AS unfinished,
           coalesce(sum(unattempted) FILTER (WHERE NOT is_open), 0)::integer AS unattempted,
           coalesce(sum(scheduled), 0)::integer AS scheduled,
           coalesce((SELECT json_agg(json_build_object('reason', reason, 'count', count, 'hookId', hook_id)
                                     ORDER BY count DESC, reason) FROM waiting), '[]') AS waiting
    FROM counted
  `.execute(db)
  return result.rows[0] ?? { unfinished: 0, unattempted: 0, scheduled: 0, waiting: [] }
}

/** Finished deliveries that were not delivered, by reason. */
export interface Failure {
  state: string
  reason: string
  count: number
}

interface FinishedCounts {
  delivered: number
  failed: number
  /** The most frequent ones. */
  failures: Failure[]
}

const maxFailures = 10

/** Counts the finished deliveries of a replay by outcome. */
export async function countFinished(db: Database, { accountId, id }: ReplayName): Promise<FinishedCounts> {
  const { rows } = await sql<Failure>`
    SELECT state, reason, count(*)::integer AS count FROM deliveries
    WHERE account_id = ${accountId} AND replay_id = ${id}
    GROUP BY state, reason ORDER BY count DESC, state, reason
  `.execute(db)
  const sum = (found: readonly Failure[]): number => found.reduce((total, { count }) => total + count, 0)
  const failures = rows.filter(({ state }) => state !== 'delivered')
  return {
    delivered: sum(rows) - sum(failures),
    failed: sum(failures),
    failures: failures.slice(0, maxFailures),
  }
}
