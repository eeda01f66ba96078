/** Attempts at one hook, by their events, newest event first. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'
import type { AttemptRecord } from './event-record.ts'

interface Page {
  attempts: Array<{ attempt: AttemptRecord; event: Event }>
  /** The event before which the next page begins; null: there is none. */
  next: string | null
}

const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function readHookAttempts(
  db: Database,
  accountId: number,
  hookId: number,
  before: string | undefined,
  mostEvents: number,
): Promise<Page> {
  const below = before ?? largestId
  const found = await sql<{ eventId: string }>`
    SELECT event_id FROM (
      (SELECT event_id FROM deliveries WHERE account_id = ${accountId} AND hook_id = ${hookId} AND event_id < ${below}
       ORDER BY event_id DESC LIMIT ${mostEvents})
      UNION
      (SELECT event_id FROM work WHERE account_id = ${accountId} AND hook_id = ${hookId} AND event_id < ${below}
         AND attempts > 0
       ORDER BY event_id DESC LIMIT ${mostEvents})
    ) AS found ORDER BY event_id DESC LIMIT ${mostEvents}
  `.execute(db)
  const ids = found.rows.map(({ eventId }) => eventId)
  const events = await readEvents(db, accountId, ids)
  const { rows } = await sql<AttemptRecord>`
    SELECT own.* FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS given (id, place)
    CROSS JOIN LATERAL (
      SELECT event_id, hook_id, round, attempt, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms,
             body_ms, total_ms, answer_headers, answer_body, worker
      FROM attempts WHERE account_id = ${accountId} AND event_id = given.id AND hook_id = ${hookId}
    ) AS own
    ORDER BY given.place, own.round DESC, own.attempt DESC
  `.execute(db)
  return {
    attempts: rows.flatMap((attempt) => {
      const event = events.get(attempt.eventId)
      return event === undefined ? [] : [{ attempt, event }]
    }),
    next: ids.length === mostEvents ? (ids.at(-1) ?? null) : null,
  }
}

/** Apart from their attempts, so that the data of an event is read once and not with each of them. */
async function readEvents(
  db: Database,
  accountId: number,
  ids: readonly string[],
): Promise<Map<string, Event>> {
  const { rows } = await sql<Event>`
    SELECT event.* FROM unnest(${ids}::uuid[]) AS given (id) CROSS JOIN LATERAL (
      SELECT id, account_id, type, data, accepted_at, test_hook_id FROM events
      WHERE account_id = ${accountId} AND events.id = given.id LIMIT 1
    ) AS event
  `.execute(db)
  return new Map(rows.map((event) => [event.id, event]))
}
