/** The days of the ledger. Searches go from day to day, so a search for recent events reads only recent days. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import { minEventId } from '../model/event-id.ts'
import { partitionDay } from './partitions.ts'

/** A range of event ids within one day: `low` inclusive, `high` exclusive. */
export interface LedgerDay {
  low: string
  high: string
}

/** Returns the days, newest first, without those created ahead. */
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

/** Returns the time at which a day starts. */
export function startOfDay({ low }: LedgerDay): Date {
  return new Date(timeOfEvent(low))
}

/** Returns the oldest day within retention. */
export function firstDayKept(now: number, retentionDays: number): Date {
  return new Date(Math.floor(now / dayMs - retentionDays) * dayMs)
}

/** Returns the day of an event, by its id. */
export function dayOfEvent(eventId: string): LedgerDay {
  return dayOf(timeOfEvent(eventId))
}

function timeOfEvent(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16)
}

/** The latest time that an event id can encode. */
const lastMs = 2 ** 48 - 1

function dayOf(at: number): LedgerDay {
  const start = Math.floor(at / dayMs) * dayMs
  return { low: minEventId(new Date(start)), high: minEventId(new Date(Math.min(start + dayMs, lastMs))) }
}

/** Groups items by the day of their event, in input order. */
export function byDay<T>(items: readonly T[], idOf: (item: T) => string): Array<[LedgerDay, T[]]> {
  const groups = Map.groupBy(items, (item) => dayOfEvent(idOf(item)).low)
  return [...groups.values()].flatMap((group) =>
    group[0] === undefined ? [] : [[dayOfEvent(idOf(group[0])), group]],
  )
}

/** Returns the ids whose day is in the ledger. */
export async function withinLedger(db: Database, eventIds: readonly string[]): Promise<string[]> {
  const days = new Set((await ledgerDays(db)).map(({ low }) => low))
  return eventIds.filter((id) => days.has(dayOfEvent(id).low))
}

/**
 * A condition that an event id column is in the range. Written as literals, not parameters: only then does the
 * planner exclude all other days, and lock none of them.
 */
export function within({ low, high }: LedgerDay, column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} >= ${sql.lit(low)}::uuid AND ${sql.ref(column)} < ${sql.lit(high)}::uuid`
}
