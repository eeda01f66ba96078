/**
 * Percentiles of response times, from the ledger. Delivering costs nothing for them. Of each bucket the newest responses are
 * read along the key up to a limit, by the time at which the event was accepted.
 */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../db/arrays.ts'
import type { Database, Trx } from '../db/database.ts'
import { dayOfEvent, ledgerDays, within } from '../ledger/days.ts'
import { withIndexScans } from '../ledger/indexed-read.ts'
import { newestAttempts } from '../ledger/newest-attempts.ts'
import { dayMs } from '../model/day.ts'
import { minEventId } from '../model/event-id.ts'

export interface ResponseTimes {
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}

export const noResponses: ResponseTimes = { p50Ms: null, p95Ms: null, p99Ms: null }

/** Responses that are read for all buckets together, and at most for one. */
const maxResponses = 18_000
const maxPerBucket = 500
/** Attempts that are read for one response at most: receivers that refuse connections send none. */
const attemptsPerResponse = sql.lit(4)

/** SQL for a ResponseTimes of the column `total_ms`. */
export const percentiles = sql<ResponseTimes>`
  percentile_cont(0.5) WITHIN GROUP (ORDER BY total_ms) AS p50_ms,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) AS p95_ms,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY total_ms) AS p99_ms`

/** Returns the percentiles of each bucket, in the order of `starts`. Buckets do not cross midnight UTC. */
export function readResponseTimes(
  db: Database,
  accountId: number,
  starts: readonly Date[],
  step: 'hour' | 'day',
): Promise<ResponseTimes[]> {
  const stepMs = step === 'day' ? dayMs : dayMs / 24
  const limit = Math.min(maxPerBucket, Math.floor(maxResponses / starts.length))
  const slices = starts.map((start, index) => ({
    index,
    low: minEventId(start),
    high: minEventId(new Date(start.getTime() + stepMs)),
  }))
  const byDay = Map.groupBy(slices, ({ low }) => dayOfEvent(low).low)
  return withIndexScans(db, async (trx) => {
    const found = starts.map(() => noResponses)
    for (const day of await ledgerDays(trx)) {
      const rows = await readDay(trx, accountId, day, byDay.get(day.low) ?? [], limit)
      for (const { index, ...times } of rows) found[index] = times
    }
    return found
  })
}

interface Slice {
  index: number
  low: string
  high: string
}

async function readDay(
  trx: Trx,
  accountId: number,
  day: { low: string; high: string },
  slices: readonly Slice[],
  limit: number,
): Promise<Array<ResponseTimes & { index: number }>> {
  if (slices.length === 0) return []
  const { rows } = await sql<ResponseTimes & { index: number }>`
    SELECT index, times.* FROM unnest(
      ${plainArray(slices.map(({ index }) => index))}::integer[], ${wordArray(slices.map(({ low }) => low))}::uuid[],
      ${wordArray(slices.map(({ high }) => high))}::uuid[]) AS slice (index, low, high)
    CROSS JOIN LATERAL (
      SELECT ${percentiles} FROM (
        SELECT total_ms FROM (
          ${newestAttempts(
            accountId,
            sql`${within(day, 'event_id')} AND event_id >= slice.low AND event_id < slice.high`,
            sql`${limit} * ${attemptsPerResponse}`,
          )}
        ) AS newest WHERE status IS NOT NULL LIMIT ${limit}
      ) AS responses
    ) AS times
  `.execute(trx)
  return rows
}

/** Number of newest responses that the percentile of a whole range is computed from. */
const recentResponses = 2_000

/** Returns the 95th percentile of the newest responses to events accepted since a time; null if there are none. */
export function receiverP95Ms(
  db: Database,
  accountId: number,
  since: Date,
  now: number,
): Promise<number | null> {
  const ids = { low: minEventId(since), high: minEventId(new Date(now + 60_000)) }
  return withIndexScans(db, async (trx) => {
    const { rows } = await sql<{ p95: number | null }>`
    SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) AS p95 FROM (
      SELECT total_ms FROM (
        ${newestAttempts(
          accountId,
          within(ids, 'event_id'),
          sql`${sql.lit(recentResponses)} * ${attemptsPerResponse}`,
        )}
      ) AS newest WHERE status IS NOT NULL LIMIT ${sql.lit(recentResponses)}
    ) AS recent
  `.execute(trx)
    return rows[0]?.p95 ?? null
  })
}
