/** Counts of an account over time, from the hourly rollups that every commit updates. Reading counts no rows. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { withIndexScans } from '../ledger/indexed-read.ts'
import { within } from '../ledger/days.ts'
import { minEventId } from '../model/event-id.ts'

export interface Bucket {
  start: Date
  events: number
  delivered: number
  failed: number
  expired: number
  cancelled: number
}

const steps = { hour: '1 hour', day: '1 day' } as const

/** Returns the last `count` hours or days, including the current one and empty ones, oldest first. */
export async function bucketsOf(
  db: Database,
  accountId: number,
  { step, count }: { step: keyof typeof steps; count: number },
): Promise<Bucket[]> {
  // Hook by hook along the key, each from the first hour on: older rows are not read.
  const { rows } = await sql<Bucket>`
    WITH RECURSIVE span AS (
      SELECT date_trunc(${sql.lit(step)}, now(), 'UTC') - ${count - 1} * ${sql.lit(steps[step])}::interval AS first
    ), hooks AS (
      (SELECT hook_id FROM rollups WHERE account_id = ${accountId} ORDER BY hook_id LIMIT 1)
      UNION ALL
      SELECT (SELECT next.hook_id FROM rollups AS next WHERE account_id = ${accountId} AND next.hook_id > hooks.hook_id
              ORDER BY next.hook_id LIMIT 1)
      FROM hooks WHERE hooks.hook_id IS NOT NULL
    ), sums AS MATERIALIZED (
      SELECT date_trunc(${sql.lit(step)}, hour, 'UTC') AS start, sum(delivered) AS delivered, sum(failed) AS failed,
             sum(expired) AS expired, sum(cancelled) AS cancelled
      FROM hooks CROSS JOIN LATERAL (
        SELECT * FROM rollups AS hourly
        WHERE hourly.account_id = ${accountId} AND hourly.hook_id = hooks.hook_id AND hour >= (SELECT first FROM span)
      ) AS hourly
      GROUP BY 1
    ), arrivals AS MATERIALIZED (
      SELECT date_trunc(${sql.lit(step)}, hour, 'UTC') AS start, sum(events) AS events FROM event_rollups
      WHERE account_id = ${accountId} AND hour >= (SELECT first FROM span) GROUP BY 1
    )
    SELECT start, coalesce(events, 0)::float8 AS events, coalesce(delivered, 0)::float8 AS delivered,
           coalesce(failed, 0)::float8 AS failed, coalesce(expired, 0)::float8 AS expired,
           coalesce(cancelled, 0)::float8 AS cancelled
    FROM generate_series((SELECT first FROM span), now(), ${sql.lit(steps[step])}::interval) AS start
    LEFT JOIN sums USING (start) LEFT JOIN arrivals USING (start) ORDER BY start
  `.execute(db)
  return rows
}

/** Number of newest attempts that the response time is computed from. */
const recentAttempts = 2_000
const recentMs = 24 * 60 * 60 * 1_000

/** Returns the 95th percentile of recent response times; null if there are no responses. */
export function receiverP95Ms(db: Database, accountId: number, now: number): Promise<number | null> {
  const recentIds = { low: minEventId(new Date(now - recentMs)), high: minEventId(new Date(now + 60_000)) }
  return withIndexScans(db, async (trx) => {
    const { rows } = await sql<{ p95: number | null }>`
    SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) AS p95 FROM (
      SELECT total_ms FROM attempts
      WHERE account_id = ${accountId} AND status IS NOT NULL AND ${within(recentIds, 'event_id')}
      ORDER BY event_id DESC LIMIT ${sql.lit(recentAttempts)}
    ) AS recent
  `.execute(trx)
    return rows[0]?.p95 ?? null
  })
}
