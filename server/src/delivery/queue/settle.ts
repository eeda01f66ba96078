/**
 * The settle commit of all but successes (`settle-delivered.ts`): one statement, for many deliveries, records the attempts
 * in the ledger and updates each work row (waiting, held) or removes it (failed, expired, cancelled).
 * Fencing: only the holder of the lease settles.
 * A delivery without a row to settle is reported as such and leaves only a log line.
 *
 * Stages: input (the settlements, with the places of their work rows) → ended, moved (rows removed or updated) → settled
 * (both) → scheduled (lanes of the moved rows) → finished, attempted (ledger rows) → counted (rollups).
 */
import { sql } from 'kysely'
import { wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import {
  boolean,
  bytea,
  float8,
  integer,
  real,
  smallint,
  text,
  timestamptz,
  unnestNumberedRows,
  uuid,
} from '../../db/rows.ts'
import type { FinalState } from '../../model/delivery/delivery.ts'
import type { Outcome } from '../../model/delivery/outcome.ts'
import { scheduleLanes } from './lanes.ts'
import { type Exception, exceptions, findRow, type Settled, settleByStatements } from './settled.ts'

export interface Settlement {
  accountId: number
  hookId: number
  eventId: string
  round: number
  lease: string
  /** Attempts so far, including the settled one if it counts. */
  attempts: number
  /** Consecutive service faults of this delivery. */
  faults: number
  next:
    | { state: FinalState; reason: string }
    /** `isRetryAfter`: the receiver requested the delay, so nothing shortens it. */
    | { state: 'waiting'; delayMs: number; isRetryAfter: boolean }
    | { state: 'held' }
  /** Host of the receiver. */
  host: string
  /** Failed tests do not count against their hook. */
  isTest?: boolean
  /** The attempt, if a request was sent. */
  attempt?: { number: number; startedAt: Date; outcome: Outcome }
  /** The service fault, if that is why the delivery waits or failed. */
  fault?: { outcome: Outcome; error: unknown }
}

/** A settlement of anything but a success. */
export type Unsuccessful = Settlement & { next: { state: Exclude<Settlement['next']['state'], 'delivered'> } }

export function isUnsuccessful(settlement: Settlement): settlement is Unsuccessful {
  return settlement.next.state !== 'delivered'
}

export async function settle(
  db: Database,
  worker: string,
  items: readonly Unsuccessful[],
): Promise<Settled[]> {
  return settleByStatements(items, (some) => settleOnce(db, worker, some))
}

async function settleOnce(
  db: Database,
  worker: string,
  items: readonly Unsuccessful[],
): Promise<Exception[]> {
  const failedTests = items.filter(({ isTest }) => isTest)
  const { rows } = await sql<Exception>`/* prepared */
    WITH input AS MATERIALIZED (
      SELECT input.*, found.tid FROM ${unnestNumberedRows('input', items, {
        account_id: integer(({ accountId }) => accountId),
        hook_id: integer(({ hookId }) => hookId),
        event_id: uuid(({ eventId }) => eventId),
        round: smallint(({ round }) => round),
        input_lease: uuid(({ lease }) => lease),
        attempts_made: smallint(({ attempts }) => attempts),
        faults: smallint(({ faults }) => faults),
        state: text(({ next }) => next.state),
        reason: text(({ next }) => ('reason' in next ? next.reason : null)),
        delay_ms: float8(({ next }) => ('delayMs' in next ? next.delayMs : 0)),
        is_retry_after: boolean(({ next }) => 'isRetryAfter' in next && next.isRetryAfter),
        host: text(({ host }) => host),
        attempt: smallint(({ attempt }) => attempt?.number),
        started_at: timestamptz(({ attempt }) => attempt?.startedAt),
        attempt_reason: text(({ attempt }) => attempt?.outcome.reason),
        status: smallint(({ attempt }) => attempt?.outcome.status),
        dns_ms: real(({ attempt }) => attempt?.outcome.timings.dnsMs),
        connect_ms: real(({ attempt }) => attempt?.outcome.timings.connectMs),
        tls_ms: real(({ attempt }) => attempt?.outcome.timings.tlsMs),
        first_byte_ms: real(({ attempt }) => attempt?.outcome.timings.firstByteMs),
        body_ms: real(({ attempt }) => attempt?.outcome.timings.bodyMs),
        total_ms: real(({ attempt }) => attempt?.outcome.timings.totalMs),
        answer_headers: text(({ attempt }) => attempt?.outcome.answerHeaders),
        answer_body: bytea(({ attempt }) => attempt?.outcome.answerBody),
      })}
      -- With =, the planner may read all leases for each row.
      LEFT JOIN LATERAL ${findRow(sql`AND work.lease IS NOT DISTINCT FROM input.input_lease`)} AS found ON true
      WHERE ${ledgerWrite}
      ORDER BY event_id, hook_id
    ), ended AS (
      DELETE FROM work USING input
      WHERE work.ctid = input.tid AND work.lease IS NOT DISTINCT FROM input.input_lease
        AND input.state NOT IN ('waiting', 'held')
      RETURNING input.*, work.replay_id, work.hooks_version
    ), moved AS (
      UPDATE work SET attempts = input.attempts_made, faults = input.faults, due_at = now() + make_interval(secs => input.delay_ms / 1000),
                      waits_since = CASE WHEN NOT input.is_retry_after THEN now() END,
                      held = input.state = 'held', lease = NULL, lease_until = NULL
      FROM input
      WHERE work.ctid = input.tid AND work.lease IS NOT DISTINCT FROM input.input_lease
        AND input.state IN ('waiting', 'held')
      RETURNING input.ordinal, work.account_id, work.hook_id, work.due_at, work.held, input.host
    ), settled AS MATERIALIZED (
      SELECT ordinal FROM ended UNION ALL SELECT ordinal FROM moved
    ), scheduled AS (
      ${scheduleLanes(sql`
        SELECT account_id, hook_id, min(due_at), min(host) FROM moved WHERE NOT held GROUP BY account_id, hook_id`)}
    ), finished AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id, hooks_version)
      SELECT account_id, event_id, hook_id, round, state, reason, attempts_made, replay_id, hooks_version FROM ended
      ON CONFLICT DO NOTHING
      RETURNING account_id, hook_id, event_id, state, NULL::integer AS status, NULL::text AS attempt_reason
    ), attempted AS (
      INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, dns_ms,
                            connect_ms, tls_ms, first_byte_ms, body_ms, total_ms, answer_headers, answer_body, worker, xid)
      SELECT account_id, event_id, hook_id, round, attempt, started_at, attempt_reason, status, dns_ms,
             connect_ms, tls_ms, first_byte_ms, body_ms, total_ms, answer_headers, answer_body, ${worker},
             pg_current_xact_id()
      FROM input WHERE attempt IS NOT NULL AND (ordinal IN (SELECT ordinal FROM settled)) IS TRUE
      ON CONFLICT DO NOTHING
      RETURNING account_id, hook_id, event_id, 'attempt' AS state, status, reason
    ), counted AS (
      INSERT INTO rollups (account_id, hook_id, hour, failed, expired, cancelled, attempts, failures,
                           status_3xx, status_4xx, status_5xx, timeouts)
      SELECT account_id, hook_id, date_trunc('hour', now()),
             count(*) FILTER (WHERE state = 'failed'), count(*) FILTER (WHERE state = 'expired'),
             count(*) FILTER (WHERE state = 'cancelled'),
             count(*) FILTER (WHERE state = 'attempt'), count(*) FILTER (WHERE state = 'attempt'),
             count(*) FILTER (WHERE response = 3), count(*) FILTER (WHERE response = 4),
             count(*) FILTER (WHERE response = 5), count(*) FILTER (WHERE response = 0)
      FROM (SELECT *, CASE WHEN state <> 'attempt' THEN NULL WHEN attempt_reason IN ('timeout', 'connect_timeout') THEN 0
                           ELSE status / 100 END AS response
            FROM (SELECT * FROM finished UNION ALL SELECT * FROM attempted) AS inserted) AS inserted
      WHERE event_id <> ALL (${wordArray(failedTests.map(({ eventId }) => eventId))}::uuid[])
      GROUP BY account_id, hook_id ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET
        failed = rollups.failed + excluded.failed,
        expired = rollups.expired + excluded.expired, cancelled = rollups.cancelled + excluded.cancelled,
        attempts = rollups.attempts + excluded.attempts, failures = rollups.failures + excluded.failures,
        status_3xx = rollups.status_3xx + excluded.status_3xx, status_4xx = rollups.status_4xx + excluded.status_4xx,
        status_5xx = rollups.status_5xx + excluded.status_5xx, timeouts = rollups.timeouts + excluded.timeouts
    )
    ${exceptions}
  `.execute(db)
  return rows
}
