/** The days that the ledger holds. Whoever searches it goes from day to day, so that what is recent is found by looking there alone. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'
import { floorOf } from '../../model/event-id.ts'
import { partitionDay } from './partitions.ts'

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

/** What belongs to events by their days, each day once and in the order that was given. */
export function byDay<T>(items: readonly T[], idOf: (item: T) => string): Array<[LedgerDay, T[]]> {
  const groups = Map.groupBy(items, (item) => dayOfEvent(idOf(item)).low)
  return [...groups.values()].flatMap((own) =>
    own[0] === undefined ? [] : [[dayOfEvent(idOf(own[0])), own]],
  )
}

/** Of ids that somebody else has named those of days that the ledger has. */
export async function ofLedger(db: Database, eventIds: readonly string[]): Promise<string[]> {
  const days = new Set((await ledgerDays(db)).map(({ low }) => low))
  return eventIds.filter((id) => days.has(dayOfEvent(id).low))
}

/**
 * A condition that a column with event ids lies in the range. Written into the statement and not given as a parameter:
 * only so does the planner leave out all other days, and lock none of them.
 */
export function within({ low, high }: LedgerDay, column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} >= ${sql.lit(low)}::uuid AND ${sql.ref(column)} < ${sql.lit(high)}::uuid`
}
