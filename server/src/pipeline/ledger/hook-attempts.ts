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
  const { rows } = await sql<AttemptRecord & Pick<Event, 'type' | 'data' | 'acceptedAt' | 'testHookId'>>`
    SELECT event.*, own.* FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS given (id, place)
    CROSS JOIN LATERAL (
      SELECT type, data, accepted_at, test_hook_id FROM events
      WHERE account_id = ${accountId} AND events.id = given.id LIMIT 1
    ) AS event
    CROSS JOIN LATERAL (
      SELECT event_id, hook_id, round, attempt, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms,
             body_ms, total_ms, answer_headers, answer_body, worker
      FROM attempts WHERE account_id = ${accountId} AND event_id = given.id AND hook_id = ${hookId}
    ) AS own
    ORDER BY given.place, own.round DESC, own.attempt DESC
  `.execute(db)
  return {
    attempts: rows.map(({ type, data, acceptedAt, testHookId, ...attempt }) => ({
      attempt,
      event: { id: attempt.eventId, accountId, type, data, acceptedAt, testHookId: testHookId ?? null },
    })),
    next: ids.length === mostEvents ? (ids.at(-1) ?? null) : null,
  }
}
