import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the seconds since a time in the database; null if there is none. A time in the future, written before the
 * clock was set back, counts as now.
 */
export function secondsSince(time: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`CASE WHEN ${time} > now() THEN 0 ELSE extract(epoch FROM now() - ${time}) END`
}
