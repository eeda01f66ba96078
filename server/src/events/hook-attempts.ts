/**
 * Reads attempts at one hook: of its newest events, the newest attempt first. Attempts are stored by event, so pages
 * are too: a late retry of an old event is on the page of its event.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Event } from '../model/event.ts'
import type { AttemptRecord } from './event-record.ts'

interface Page {
  attempts: Array<{ attempt: AttemptRecord; event: Event }>
  /** The event id before which the next page begins; null if there is no next page. */
  next: string | null
}

const maxId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function readHookAttempts(
  db: Database,
  accountId: number,
  hookId: number,
  before: string | undefined,
  maxEvents: number,
): Promise<Page> {
  const below = before ?? maxId
  const found = await sql<{ eventId: string }>`
    SELECT event_id FROM (
      (SELECT event_id FROM deliveries WHERE account_id = ${accountId} AND hook_id = ${hookId} AND event_id < ${below}
       ORDER BY event_id DESC LIMIT ${maxEvents})
      UNION
      (SELECT event_id FROM work WHERE account_id = ${accountId} AND hook_id = ${hookId} AND event_id < ${below}
         AND attempts > 0
       ORDER BY event_id DESC LIMIT ${maxEvents})
    ) AS found ORDER BY event_id DESC LIMIT ${maxEvents}
  `.execute(db)
  const ids = found.rows.map(({ eventId }) => eventId)
  const events = await readEvents(db, accountId, ids)
  const { rows } = await sql<AttemptRecord>`
    SELECT hook_attempts.* FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS input (id, ordinal)
    CROSS JOIN LATERAL (
      SELECT event_id, hook_id, round, attempt, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms,
             body_ms, total_ms, answer_headers, answer_body, worker
      FROM all_attempts WHERE account_id = ${accountId} AND event_id = input.id AND hook_id = ${hookId}
    ) AS hook_attempts
    ORDER BY hook_attempts.started_at DESC, input.ordinal, hook_attempts.round DESC, hook_attempts.attempt DESC
  `.execute(db)
  return {
    attempts: rows.flatMap((attempt) => {
      const event = events.get(attempt.eventId)
      return event === undefined ? [] : [{ attempt, event }]
    }),
    next: ids.length === maxEvents ? (ids.at(-1) ?? null) : null,
  }
}

/** Reads events separately, so the data of an event is read once and not with each attempt. */
async function readEvents(
  db: Database,
  accountId: number,
  ids: readonly string[],
): Promise<Map<string, Event>> {
  const { rows } = await sql<Event>`
    SELECT event.* FROM unnest(${ids}::uuid[]) AS input (id) CROSS JOIN LATERAL (
      SELECT id, account_id, type, data, accepted_at, test_hook_id, traceparent FROM events
      WHERE account_id = ${accountId} AND events.id = input.id LIMIT 1
    ) AS event
  `.execute(db)
  return new Map(rows.map((event) => [event.id, event]))
}
