/** The event of a queue row, by its key. */
import { type RawBuilder, sql } from 'kysely'

/**
 * Selects columns of the event of each row of a table. A range of one id makes the planner use the primary key. With an
 * equality, while it takes the day for empty, it may choose any index that begins with the account, and read all events
 * of the account.
 */
export function eventOf(table: string, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const eventId = sql.ref(`${table}.event_id`)
  return sql`(
      SELECT ${columns} FROM events
      WHERE events.account_id = ${sql.ref(`${table}.account_id`)} AND events.id BETWEEN ${eventId} AND ${eventId}
      ORDER BY events.id LIMIT 1
    )`
}
