/**
 * The settle commit of successes: one statement removes the work rows and records each delivery with its last attempt in
 * one ledger row. A success counts even if its lease is lost, because the receiver has the event.
 * A delivery without a work row is reported as not settled. The statement returns rows for exceptions only.
 *
 * Stages: input (the settlements, with their work rows) → ended (rows removed) → finished (ledger rows) → counted (a row
 * that `add-counts.ts` adds to the rollups).
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import { bytea, integer, real, smallint, text, timestamptz, unnestNumberedRows, uuid } from '../../db/rows.ts'
import { createStatement, inputParameter } from '../../db/statement.ts'
import type { Settlement } from './settle.ts'
import { type Exception, exceptions, findRow, type Settled, settleByStatements } from './settled.ts'

/** A settlement of an attempt that delivered the event. */
export type Success = Settlement & Required<Pick<Settlement, 'attempt'>>

export function isSuccess(settlement: Settlement): settlement is Success {
  return settlement.next.state === 'delivered'
}

export async function settleDelivered(
  db: Database,
  worker: string,
  items: readonly Success[],
): Promise<Settled[]> {
  return settleByStatements(items, (some) => settleOnce(db, { worker, items: some }))
}

interface Input {
  worker: string
  items: readonly Success[]
}

const settleOnce = createStatement<Input, Exception>(sql<Exception>`/* prepared */
    WITH input AS MATERIALIZED (
      SELECT input.*, found.tid FROM ${unnestNumberedRows('input', (input: Input) => input.items, {
        account_id: integer(({ accountId }) => accountId),
        hook_id: integer(({ hookId }) => hookId),
        event_id: uuid(({ eventId }) => eventId),
        round: smallint(({ round }) => round),
        attempts: smallint(({ attempts }) => attempts),
        started_at: timestamptz(({ attempt }) => attempt.startedAt),
        status: smallint(({ attempt }) => attempt.outcome.status),
        dns_ms: real(({ attempt }) => attempt.outcome.timings.dnsMs),
        connect_ms: real(({ attempt }) => attempt.outcome.timings.connectMs),
        tls_ms: real(({ attempt }) => attempt.outcome.timings.tlsMs),
        first_byte_ms: real(({ attempt }) => attempt.outcome.timings.firstByteMs),
        body_ms: real(({ attempt }) => attempt.outcome.timings.bodyMs),
        total_ms: real(({ attempt }) => attempt.outcome.timings.totalMs),
        answer_headers: text(({ attempt }) => attempt.outcome.answerHeaders),
        answer_body: bytea(({ attempt }) => attempt.outcome.answerBody),
      })}
      LEFT JOIN LATERAL ${findRow()} AS found ON true
      WHERE ${ledgerWrite}
    ), ended AS (
      DELETE FROM work USING input WHERE work.ctid = input.tid
      RETURNING input.*, work.attempts AS attempts_before, work.replay_id, work.hooks_version
    ), finished AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, replay_id, hooks_version,
                              started_at, status, dns_ms, connect_ms, tls_ms, first_byte_ms, body_ms, total_ms,
                              answer_headers, answer_body, worker)
      -- After a lost lease, another worker may have recorded a failure with the number of this attempt.
      SELECT account_id, event_id, hook_id, round, 'delivered', 'delivered', greatest(attempts, attempts_before + 1),
             replay_id, hooks_version,
             started_at, status, dns_ms, connect_ms, tls_ms, first_byte_ms, body_ms, total_ms,
             answer_headers, answer_body, ${inputParameter(({ worker }: Input) => worker)}
      FROM ended
      ON CONFLICT DO NOTHING
      RETURNING account_id, hook_id
    ), settled AS MATERIALIZED (
      SELECT ordinal FROM ended
    ), counted AS (
      INSERT INTO rollup_deltas (hour, account_ids, hook_ids, counts)
      SELECT date_trunc('hour', now()), array_agg(account_id), array_agg(hook_id), array_agg(count) FROM (
        SELECT account_id, hook_id, count(*)::integer AS count FROM finished GROUP BY account_id, hook_id
      ) AS counts HAVING count(*) > 0
    )
    ${exceptions}
  `)
