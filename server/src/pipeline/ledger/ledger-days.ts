/** The days that the ledger holds. Whoever searches it goes from day to day, so that what is recent is found by looking there alone. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { floorOf } from '../../model/event-id.ts'
import { dayMs, partitionDay } from './partitions.ts'

/** A range of event ids within one day: from `low` on and below `high`. */
export interface LedgerDay {
  low: string
  high: string
}

/** Newest first, without those that were made ahead. */
export async function ledgerDays(db: Database | Trx): Promise<LedgerDay[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'events'::regclass
      AND child.relname <= 'events_' || to_char(now() AT TIME ZONE 'UTC' + interval '1 minute', 'YYYYMMDD')
    ORDER BY child.relname DESC
  `.execute(db)
  return rows.flatMap(({ name }) => {
    const day = partitionDay(name)
    return day === undefined ? [] : [dayOf(day.getTime())]
  })
}

/** The oldest day that retention leaves in the ledger. */
export function firstDayKept(now: number, retentionDays: number): Date {
  return new Date(Math.floor(now / dayMs - retentionDays) * dayMs)
}

/** The day of an event, by its id. */
export function dayOfEvent(eventId: string): LedgerDay {
  return dayOf(Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16))
}

/** The latest time that an id can hold. */
const lastMs = 2 ** 48 - 1

function dayOf(at: number): LedgerDay {
  const start = Math.floor(at / dayMs) * dayMs
  return { low: floorOf(new Date(start)), high: floorOf(new Date(Math.min(start + dayMs, lastMs))) }
}

/** Events by their days, each day once and in the order of the ids. */
export function byDay(eventIds: readonly string[]): Array<[LedgerDay, string[]]> {
  const groups = Map.groupBy(eventIds, (id) => dayOfEvent(id).low)
  return [...groups.values()].flatMap((ids) => (ids[0] === undefined ? [] : [[dayOfEvent(ids[0]), ids]]))
}

/**
 * A condition that a column with event ids lies in the range. Written into the statement and not given as a parameter:
 * only so does the planner leave out all other days, and lock none of them.
 */
export function within({ low, high }: LedgerDay, column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} >= ${sql.lit(low)}::uuid AND ${sql.ref(column)} < ${sql.lit(high)}::uuid`
}
