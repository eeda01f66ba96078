/**
 * The settle commit: in one statement, for many deliveries, the attempt goes into the ledger and the work row moves on
 * (waiting, held) or out (delivered, failed, expired, cancelled).
 * Fencing: only the holder of the lease settles; but a success counts even if it comes late, since the receiver has it.
 * What finds no row to settle is answered as such and leaves no trace but a log line.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Outcome } from '../../model/outcome.ts'

export type FinalState = 'delivered' | 'failed' | 'expired' | 'cancelled'

export interface Settlement {
  accountId: number
  hookId: number
  eventId: string
  round: number
  lease: string
  /** Attempts made, the one that is settled included if it counts. */
  attempts: number
  next:
    | { state: FinalState; reason: string }
    /** Asked: the receiver itself named the time, so nothing shortens it. */
    | { state: 'waiting'; delayMs: number; isAsked: boolean }
    | { state: 'held' }
  /** Where its receiver is. */
  host: string
  /** What happened, if something was sent. */
  attempt?: { number: number; startedAt: Date; outcome: Outcome }
}

export async function settle(db: Database, worker: string, items: readonly Settlement[]): Promise<boolean[]> {
  const answer = await sql<{ isSettled: boolean }>`/* kept */
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(
        ${items.map((item) => item.accountId)}::integer[],
        ${items.map((item) => item.hookId)}::integer[],
        ${items.map((item) => item.eventId)}::uuid[],
        ${items.map((item) => item.round)}::smallint[],
        ${items.map((item) => item.lease)}::uuid[],
        ${items.map((item) => item.attempts)}::smallint[],
        ${items.map((item) => item.next.state)}::text[],
        ${items.map((item) => ('reason' in item.next ? item.next.reason : null))}::text[],
        ${items.map((item) => ('delayMs' in item.next ? item.next.delayMs : 0))}::float8[],
        ${items.map((item) => 'isAsked' in item.next && item.next.isAsked)}::boolean[],
        ${items.map((item) => item.host)}::text[]
      ) WITH ORDINALITY AS given (account_id, hook_id, event_id, round, given_lease, attempts_made, state, reason,
                                  delay_ms, is_asked, host, place)
    ), locked AS MATERIALIZED (
      SELECT given.* FROM given JOIN work USING (account_id, hook_id, event_id, round)
      WHERE work.lease = given.given_lease OR given.state = 'delivered'
      ORDER BY account_id, hook_id, event_id FOR UPDATE OF work
    ), out AS (
      DELETE FROM work USING locked
      WHERE work.account_id = locked.account_id AND work.hook_id = locked.hook_id AND work.event_id = locked.event_id
        AND locked.state NOT IN ('waiting', 'held')
    ), moved AS (
      UPDATE work SET attempts = locked.attempts_made, due_at = now() + make_interval(secs => locked.delay_ms / 1000),
                      waits_since = CASE WHEN NOT locked.is_asked THEN now() END,
                      held = locked.state = 'held', lease = NULL, lease_until = NULL
      FROM locked
      WHERE work.account_id = locked.account_id AND work.hook_id = locked.hook_id AND work.event_id = locked.event_id
        AND locked.state IN ('waiting', 'held')
      RETURNING work.account_id, work.hook_id, work.due_at, work.held, locked.host
    ), turns AS (
      INSERT INTO lane (account_id, hook_id, due_at, host)
      SELECT account_id, hook_id, min(due_at), min(host) FROM moved WHERE NOT held GROUP BY account_id, hook_id
      ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id)
      DO UPDATE SET due_at = least(lane.due_at, excluded.due_at), host = excluded.host
    ), finished AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
      SELECT account_id, event_id, hook_id, round, state, reason, attempts_made FROM locked
      WHERE state NOT IN ('waiting', 'held')
      ON CONFLICT DO NOTHING RETURNING account_id, hook_id, state
    ), attempted AS (
      ${insertAttempts(worker, items)}
    ), counted AS (
      INSERT INTO rollups (account_id, hook_id, hour, delivered, failed, expired, cancelled, attempts, failures)
      SELECT account_id, hook_id, date_trunc('hour', now()),
             count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'failed'),
             count(*) FILTER (WHERE state = 'expired'), count(*) FILTER (WHERE state = 'cancelled'),
             count(*) FILTER (WHERE state = 'attempt' OR state = 'failure'), count(*) FILTER (WHERE state = 'failure')
      FROM (SELECT * FROM finished
            UNION ALL SELECT account_id, hook_id, CASE reason WHEN 'delivered' THEN 'attempt' ELSE 'failure' END
            FROM attempted) AS inserted
      GROUP BY account_id, hook_id ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET
        delivered = rollups.delivered + excluded.delivered, failed = rollups.failed + excluded.failed,
        expired = rollups.expired + excluded.expired, cancelled = rollups.cancelled + excluded.cancelled,
        attempts = rollups.attempts + excluded.attempts, failures = rollups.failures + excluded.failures
    )
    SELECT locked.place IS NOT NULL AS is_settled FROM given LEFT JOIN locked USING (place) ORDER BY given.place
  `.execute(db)
  return answer.rows.map((row) => row.isSettled)
}

/** Only the attempts of deliveries that are settled by this statement. */
function insertAttempts(worker: string, items: readonly Settlement[]) {
  const made = items.flatMap(({ attempt, ...item }, place) =>
    attempt === undefined ? [] : [{ ...item, ...attempt, place: place + 1 }],
  )
  return sql`
    INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, dns_ms, connect_ms,
                          tls_ms, first_byte_ms, body_ms, total_ms, answer_headers, answer_body, worker)
    SELECT locked.account_id, locked.event_id, locked.hook_id, locked.round, made.attempt, made.started_at, made.reason,
           made.status, made.dns_ms, made.connect_ms, made.tls_ms, made.first_byte_ms, made.body_ms, made.total_ms,
           made.answer_headers, decode(made.answer_body, 'hex'), ${worker}
    FROM unnest(
      ${made.map((item) => item.place)}::integer[],
      ${made.map((item) => item.number)}::smallint[],
      ${made.map((item) => item.startedAt)}::timestamptz[],
      ${made.map((item) => item.outcome.reason)}::text[],
      ${made.map((item) => item.outcome.status ?? null)}::smallint[],
      ${made.map((item) => item.outcome.timings.dnsMs ?? null)}::real[],
      ${made.map((item) => item.outcome.timings.connectMs ?? null)}::real[],
      ${made.map((item) => item.outcome.timings.tlsMs ?? null)}::real[],
      ${made.map((item) => item.outcome.timings.firstByteMs ?? null)}::real[],
      ${made.map((item) => item.outcome.timings.bodyMs ?? null)}::real[],
      ${made.map((item) => item.outcome.timings.totalMs)}::real[],
      ${made.map((item) => item.outcome.answerHeaders ?? null)}::text[],
      ${made.map((item) => item.outcome.answerBody?.toString('hex') ?? null)}::text[]
    ) AS made (place, attempt, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms, body_ms, total_ms,
               answer_headers, answer_body)
    JOIN locked ON locked.place = made.place
    ON CONFLICT DO NOTHING RETURNING account_id, hook_id, reason
  `
}
