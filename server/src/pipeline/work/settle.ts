/**
 * The settle commit: in one statement, for many deliveries, the attempt goes into the ledger and the work row moves on
 * (waiting, held) or out (delivered, failed, expired, cancelled).
 * Fencing: only the holder of the lease settles; but a success counts even if it comes late, since the receiver has it.
 * What finds no row to settle is answered as such and leaves no trace but a log line.
 */
import { sql } from 'kysely'
import { plainArray, textArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import type { Outcome } from '../../model/outcome.ts'
import { addTurns } from './turns.ts'

export type FinalState = 'delivered' | 'failed' | 'expired' | 'cancelled'

export interface Settlement {
  accountId: number
  hookId: number
  eventId: string
  round: number
  lease: string
  /** Attempts made, the one that is settled included if it counts. */
  attempts: number
  /** Faults of ours in a row at this delivery. */
  faults: number
  next:
    | { state: FinalState; reason: string }
    /** Asked: the receiver itself named the time, so nothing shortens it. */
    | { state: 'waiting'; delayMs: number; isAsked: boolean }
    | { state: 'held' }
  /** Where its receiver is. */
  host: string
  /** The failure of a test says nothing against its hook. */
  isTest?: boolean
  /** What happened, if something was sent. */
  attempt?: { number: number; startedAt: Date; outcome: Outcome }
  /** What went wrong on our side, if that is why it waits or failed. */
  fault?: { outcome: Outcome; error: unknown }
}

export interface Settled {
  isSettled: boolean
  /** The hook has failed lately. */
  wasFailing: boolean
  /** Its breaker is open or probing. */
  isOpen: boolean
}

export async function settle(db: Database, worker: string, items: readonly Settlement[]): Promise<Settled[]> {
  const of = <T>(read: (item: Settlement) => T): T[] => items.map(read)
  const made = <T>(read: (attempt: NonNullable<Settlement['attempt']>) => T): Array<T | undefined> =>
    items.map(({ attempt }) => attempt && read(attempt))
  const failedTests = items.filter(({ isTest, next }) => isTest && next.state !== 'delivered')
  const answer = await sql<{ place: string; wasFailing: boolean; isOpen: boolean }>`/* kept */
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(
        ${plainArray(of((item) => item.accountId))}::integer[],
        ${plainArray(of((item) => item.hookId))}::integer[],
        ${wordArray(of((item) => item.eventId))}::uuid[],
        ${plainArray(of((item) => item.round))}::smallint[],
        ${wordArray(of((item) => item.lease))}::uuid[],
        ${plainArray(of((item) => item.attempts))}::smallint[],
        ${plainArray(of((item) => item.faults))}::smallint[],
        ${wordArray(of((item) => item.next.state))}::text[],
        ${wordArray(of(({ next }) => ('reason' in next ? next.reason : null)))}::text[],
        ${plainArray(of(({ next }) => ('delayMs' in next ? next.delayMs : 0)))}::float8[],
        ${plainArray(of(({ next }) => 'isAsked' in next && next.isAsked))}::boolean[],
        ${textArray(of((item) => item.host))}::text[],
        ${plainArray(made((attempt) => attempt.number))}::smallint[],
        ${plainArray(made((attempt) => attempt.startedAt))}::timestamptz[],
        ${wordArray(made(({ outcome }) => outcome.reason))}::text[],
        ${plainArray(made(({ outcome }) => outcome.status))}::smallint[],
        ${plainArray(made(({ outcome }) => outcome.timings.dnsMs))}::real[],
        ${plainArray(made(({ outcome }) => outcome.timings.connectMs))}::real[],
        ${plainArray(made(({ outcome }) => outcome.timings.tlsMs))}::real[],
        ${plainArray(made(({ outcome }) => outcome.timings.firstByteMs))}::real[],
        ${plainArray(made(({ outcome }) => outcome.timings.bodyMs))}::real[],
        ${plainArray(made(({ outcome }) => outcome.timings.totalMs))}::real[],
        ${textArray(made(({ outcome }) => outcome.answerHeaders))}::text[],
        ${wordArray(made(({ outcome }) => outcome.answerBody?.toString('hex')))}::text[]
      ) WITH ORDINALITY AS given (
        account_id, hook_id, event_id, round, given_lease, attempts_made, faults, state, reason, delay_ms, is_asked, host,
        attempt, started_at, attempt_reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms, body_ms, total_ms,
        answer_headers, answer_body, place)
      WHERE ${ledgerWrite}
    ), locked AS MATERIALIZED (
      SELECT given.*, own.replay_id, own.hooks_version FROM (SELECT * FROM given ORDER BY event_id, hook_id) AS given CROSS JOIN LATERAL (
        SELECT replay_id, hooks_version FROM work
        WHERE work.event_id = given.event_id AND work.hook_id = given.hook_id AND work.account_id = given.account_id
          AND work.round = given.round AND (work.lease = given.given_lease OR given.state = 'delivered')
        LIMIT 1 FOR UPDATE
      ) AS own
    ), ended AS (
      DELETE FROM work WHERE event_id = ANY (ARRAY(SELECT event_id FROM locked))
        AND ((event_id, hook_id) IN (SELECT event_id, hook_id FROM locked WHERE state NOT IN ('waiting', 'held'))) IS TRUE
    ), moved AS (
      UPDATE work SET attempts = locked.attempts_made, faults = locked.faults, due_at = now() + make_interval(secs => locked.delay_ms / 1000),
                      waits_since = CASE WHEN NOT locked.is_asked THEN now() END,
                      held = locked.state = 'held', lease = NULL, lease_until = NULL
      FROM locked
      WHERE work.event_id = ANY (ARRAY(SELECT event_id FROM locked WHERE state IN ('waiting', 'held')))
        AND work.event_id = locked.event_id AND work.hook_id = locked.hook_id AND locked.state IN ('waiting', 'held')
      RETURNING work.account_id, work.hook_id, work.due_at, work.held, locked.host
    ), turns AS (
      ${addTurns(sql`
        SELECT account_id, hook_id, min(due_at), min(host) FROM moved WHERE NOT held GROUP BY account_id, hook_id`)}
    ), finished AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id, hooks_version)
      SELECT account_id, event_id, hook_id, round, state, reason, attempts_made, replay_id, hooks_version FROM locked
      WHERE state NOT IN ('waiting', 'held')
      ON CONFLICT DO NOTHING RETURNING account_id, hook_id, event_id, state
    ), attempted AS (
      INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, dns_ms,
                            connect_ms, tls_ms, first_byte_ms, body_ms, total_ms, answer_headers, answer_body, worker)
      SELECT account_id, event_id, hook_id, round, attempt, started_at, attempt_reason, status, dns_ms,
             connect_ms, tls_ms, first_byte_ms, body_ms, total_ms, answer_headers, decode(answer_body, 'hex'), ${worker}
      FROM locked WHERE attempt IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING account_id, hook_id, event_id, reason
    ), counted AS (
      INSERT INTO rollups (account_id, hook_id, hour, delivered, failed, expired, cancelled, attempts, failures)
      SELECT account_id, hook_id, date_trunc('hour', now()),
             count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'failed'),
             count(*) FILTER (WHERE state = 'expired'), count(*) FILTER (WHERE state = 'cancelled'),
             count(*) FILTER (WHERE state = 'attempt' OR state = 'failure'), count(*) FILTER (WHERE state = 'failure')
      FROM (SELECT * FROM finished
            UNION ALL SELECT account_id, hook_id, event_id, CASE reason WHEN 'delivered' THEN 'attempt' ELSE 'failure' END
            FROM attempted) AS inserted
      WHERE event_id <> ALL (${wordArray(failedTests.map(({ eventId }) => eventId))}::uuid[])
      GROUP BY account_id, hook_id ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET
        delivered = rollups.delivered + excluded.delivered, failed = rollups.failed + excluded.failed,
        expired = rollups.expired + excluded.expired, cancelled = rollups.cancelled + excluded.cancelled,
        attempts = rollups.attempts + excluded.attempts, failures = rollups.failures + excluded.failures
    )
    -- Each looked up by its key: asked with EXISTS, the planner may read all of the table instead.
    SELECT place, coalesce(
      (SELECT true FROM hook_failures AS own
       WHERE own.account_id = locked.account_id AND own.hook_id = locked.hook_id LIMIT 1), false) AS was_failing,
      coalesce((SELECT true FROM lane AS own
       WHERE own.account_id = locked.account_id AND own.hook_id = locked.hook_id AND open_seconds > 0 LIMIT 1),
      false) AS is_open
    FROM locked
  `.execute(db)
  const settled = new Map(answer.rows.map((row) => [Number(row.place), row]))
  return items.map((_, place) => {
    const row = settled.get(place + 1)
    const isOpen = row?.isOpen ?? false
    return { isSettled: row !== undefined, wasFailing: isOpen || (row?.wasFailing ?? false), isOpen }
  })
}
