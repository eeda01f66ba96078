/** Finds out whether events that a consumer has not read were deleted by retention. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import { ledgerDays, startOfDay } from '../ledger/days.ts'

/** Events of the account that were accepted in this time and are gone. */
export interface Pruned {
  from: Date
  to: Date
  /** The number of events, from the hourly counts. Null if the counts are gone too. */
  events: number | null
}

/** Hourly counts are kept for 31 days. */
const countedDays = 30

/** Returns undefined if nothing after the position was deleted. */
export async function findPruned(
  db: Database,
  accountId: number,
  from: Date,
  now: number,
): Promise<Pruned | undefined> {
  if (now - from.getTime() < dayMs) return undefined
  const oldest = (await ledgerDays(db)).at(-1)
  const to = oldest && startOfDay(oldest)
  if (to === undefined || from >= to) return undefined
  if (now - from.getTime() > countedDays * dayMs) return { from, to, events: null }
  const { rows } = await sql<{ events: number }>`
    SELECT coalesce(sum(events), 0)::integer AS events FROM event_rollups
    WHERE account_id = ${accountId} AND hour >= date_trunc('hour', ${from}::timestamptz) AND hour < ${to}
  `.execute(db)
  const events = rows[0]?.events ?? 0
  return events === 0 ? undefined : { from, to, events }
}
