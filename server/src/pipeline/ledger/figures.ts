/** Counts of an account over time, from the hourly figures that every commit adds to; nothing is counted when it is asked for. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { alongIndexes } from './along-indexes.ts'
import { within } from './ledger-days.ts'
import { floorOf } from '../../model/event-id.ts'

export interface Bucket {
  start: Date
  events: number
  delivered: number
  failed: number
  expired: number
  cancelled: number
}

const steps = { hour: '1 hour', day: '1 day' } as const

/** The last so many hours or days, the present one included, oldest first; empty ones too. */
export async function bucketsOf(
  db: Database,
  accountId: number,
  { step, count }: { step: keyof typeof steps; count: number },
): Promise<Bucket[]> {
  // Hook after hook along the key, each from the first hour on: what is older is not read.
  const { rows } = await sql<Bucket>`
    WITH RECURSIVE span AS (
      SELECT date_trunc(${sql.lit(step)}, now(), 'UTC') - ${count - 1} * ${sql.lit(steps[step])}::interval AS first
    ), hooks AS (
      (SELECT hook_id FROM rollups WHERE account_id = ${accountId} ORDER BY hook_id LIMIT 1)
      UNION ALL
      SELECT (SELECT own.hook_id FROM rollups AS own WHERE account_id = ${accountId} AND own.hook_id > hooks.hook_id
              ORDER BY own.hook_id LIMIT 1)
      FROM hooks WHERE hooks.hook_id IS NOT NULL
    ), sums AS MATERIALIZED (
      SELECT date_trunc(${sql.lit(step)}, hour, 'UTC') AS start, sum(delivered) AS delivered, sum(failed) AS failed,
             sum(expired) AS expired, sum(cancelled) AS cancelled
      FROM hooks CROSS JOIN LATERAL (
        SELECT * FROM rollups AS own
        WHERE own.account_id = ${accountId} AND own.hook_id = hooks.hook_id AND hour >= (SELECT first FROM span)
      ) AS own
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

/** The newest attempts say how quick the receivers are. */
const recentAttempts = 2_000
const recentMs = 24 * 60 * 60 * 1_000

/** How long 95 of 100 receivers took to answer lately; null: none has answered. */
export function receiverP95Ms(db: Database, accountId: number, now: number): Promise<number | null> {
  const lately = { low: floorOf(new Date(now - recentMs)), high: floorOf(new Date(now + 60_000)) }
  return alongIndexes(db, async (trx) => {
    const { rows } = await sql<{ p95: number | null }>`
    SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) AS p95 FROM (
      SELECT total_ms FROM attempts
      WHERE account_id = ${accountId} AND status IS NOT NULL AND ${within(lately, 'event_id')}
      ORDER BY event_id DESC LIMIT ${sql.lit(recentAttempts)}
    ) AS recent
  `.execute(trx)
    return rows[0]?.p95 ?? null
  })
}
