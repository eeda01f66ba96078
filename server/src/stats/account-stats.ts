/** Counts of an account over time, from the hourly rollups, which are about a second behind. Reading counts no rows. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export interface Bucket {
  start: Date
  events: number
  delivered: number
  failed: number
  expired: number
  cancelled: number
  attempts: number
  failures: number
  /** Failed attempts by response. Those without a valid response are the rest. */
  status3xx: number
  status4xx: number
  status5xx: number
  timeouts: number
}

const steps = { hour: '1 hour', day: '1 day' } as const

const counts = [
  'delivered',
  'failed',
  'expired',
  'cancelled',
  'attempts',
  'failures',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'timeouts',
]

const sums = sql.raw(counts.map((name) => `sum(${name}) AS ${name}`).join(', '))
const totals = sql.raw(counts.map((name) => `coalesce(${name}, 0)::float8 AS ${name}`).join(', '))

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
      SELECT date_trunc(${sql.lit(step)}, hour, 'UTC') AS start, ${sums}
      FROM hooks CROSS JOIN LATERAL (
        SELECT * FROM rollups AS hourly
        WHERE hourly.account_id = ${accountId} AND hourly.hook_id = hooks.hook_id AND hour >= (SELECT first FROM span)
      ) AS hourly
      GROUP BY 1
    ), arrivals AS MATERIALIZED (
      SELECT date_trunc(${sql.lit(step)}, hour, 'UTC') AS start, sum(events) AS events FROM event_rollups
      WHERE account_id = ${accountId} AND hour >= (SELECT first FROM span) GROUP BY 1
    )
    SELECT start, coalesce(events, 0)::float8 AS events, ${totals}
    FROM generate_series((SELECT first FROM span), now(), ${sql.lit(steps[step])}::interval) AS start
    LEFT JOIN sums USING (start) LEFT JOIN arrivals USING (start) ORDER BY start
  `.execute(db)
  return rows
}
