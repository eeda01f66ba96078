/** Reads stats of a hook by hour or day, and its recent failure reasons. */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import type { AttemptReason } from '../model/delivery/outcome.ts'

export const statsRanges = {
  '24h': { bucket: 'hour', buckets: 24 },
  '7d': { bucket: 'hour', buckets: 7 * 24 },
  '30d': { bucket: 'day', buckets: 30 },
} as const

export type StatsRange = keyof typeof statsRanges

export interface DeliveryCounts {
  delivered: number
  failed: number
  expired: number
  cancelled: number
  attempts: number
  failures: number
}

export interface HookErrors {
  reason: AttemptReason
  status: number | null
  count: number
  lastAt: Date
}

/** Returns buckets, oldest first, including empty ones. The last one is incomplete. */
export async function readBuckets(
  db: Database,
  accountId: number,
  hookId: number,
  range: StatsRange,
): Promise<Array<DeliveryCounts & { start: Date }>> {
  const { bucket, buckets } = statsRanges[range]
  const step = sql`${`1 ${bucket}`}::interval`
  // UTC days, whatever the time zone of the database.
  const { rows } = await sql<DeliveryCounts & { start: Date }>`
    SELECT start, coalesce(sum(delivered), 0)::float8 AS delivered, coalesce(sum(failed), 0)::float8 AS failed,
           coalesce(sum(expired), 0)::float8 AS expired, coalesce(sum(cancelled), 0)::float8 AS cancelled,
           coalesce(sum(attempts), 0)::float8 AS attempts, coalesce(sum(failures), 0)::float8 AS failures
    FROM generate_series(date_trunc(${bucket}, now(), 'UTC') - ${buckets - 1} * ${step},
                         date_trunc(${bucket}, now(), 'UTC'), ${step}) AS start
    LEFT JOIN rollups ON account_id = ${accountId} AND hook_id = ${hookId}
      AND hour >= start AND hour < start + ${step}
    GROUP BY start ORDER BY start
  `.execute(db)
  return rows
}

/** The newest failures suffice to find the problem. */
const maxErrors = 1_000

/** Returns failure reasons, newest first. */
export async function readErrors(
  db: Database,
  accountId: number,
  hookId: number,
  range: StatsRange,
): Promise<HookErrors[]> {
  const { bucket, buckets } = statsRanges[range]
  const since = sql`now() - ${buckets} * ${`1 ${bucket}`}::interval`
  const { rows } = await sql<HookErrors>`
    SELECT reason, status, count(*)::integer AS count, max(started_at) AS last_at FROM (
      SELECT reason, status, started_at FROM attempts
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND reason <> 'delivered'
        AND event_id > uuid_v7_floor(${since} - interval '4 days') AND started_at > ${since}
      ORDER BY event_id DESC LIMIT ${maxErrors}
    ) AS newest
    GROUP BY reason, status ORDER BY last_at DESC
  `.execute(db)
  return rows
}

export interface Failure {
  reason: AttemptReason
  status: number | null
}

/** An older event may have failed later than a newer one, so several failures are compared. */
const maxScanned = 100

/** Returns the newest failure of each hook, of events that may still be retried. */
export async function readNewestFailures(
  db: Database,
  accountId: number,
  hookIds: readonly number[],
): Promise<Map<number, Failure>> {
  if (hookIds.length === 0) return new Map()
  const { rows } = await sql<Failure & { hookId: number }>`
    SELECT hook_id, reason, status FROM unnest(${plainArray(hookIds)}::integer[]) AS requested (hook_id)
    CROSS JOIN LATERAL (
      SELECT reason, status FROM (
        SELECT reason, status, started_at FROM attempts
        WHERE account_id = ${accountId} AND attempts.hook_id = requested.hook_id AND reason <> 'delivered'
          AND event_id > uuid_v7_floor(now() - interval '5 days')
        ORDER BY event_id DESC LIMIT ${maxScanned}
      ) AS newest
      ORDER BY started_at DESC LIMIT 1
    ) AS failure
  `.execute(db)
  return new Map(rows.map(({ hookId, ...failure }) => [hookId, failure]))
}
