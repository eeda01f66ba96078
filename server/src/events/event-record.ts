/** Reads everything that the ledger and the queue have of one event, in one snapshot. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { RetryPolicy } from '../model/delivery-options.ts'
import type { HookProblem } from '../model/hook-problem.ts'
import type { AttemptReason } from '../model/delivery/outcome.ts'
import type { DeliveryReason } from '../model/delivery/reasons.ts'
import type { DeliveryState } from './search-events.ts'
import { dayOfEvent, within } from '../ledger/days.ts'

export interface EventRecord {
  id: string
  accountId: number
  type: string
  data: string
  acceptedAt: Date
  occurredAt: Date | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
  testHookId: number | null
  /** Set for a test event of a consumer. */
  testConsumerId: number | null
  isTest: boolean
  traceparent: string | null
  /** The producer that submitted the event; null for tests. */
  producer: string | null
  /**
   * The version of the account's hooks that routed the event; null if not routed, or routed before versions were
   * stored.
   */
  hooksVersion: string | null
  routedAt: Date | null
  parked: { reason: string; at: Date } | null
  isInInbox: boolean
  deliveries: DeliveryRecord[]
  attempts: AttemptRecord[]
}

export interface DeliveryRecord {
  hookId: number
  round: number
  state: DeliveryState
  reason: DeliveryReason | null
  attempts: number
  finishedAt: Date | null
  /** Time of the next attempt of a pending delivery, and whether the receiver requested it with Retry-After. */
  dueAt: Date | null
  isRetryAfter: boolean
  /** A worker is attempting the delivery. */
  isLeased: boolean
  /** While the circuit breaker is open, there is no attempt before this time. */
  notBefore: Date | null
  /** Current URL of the hook, and why the hook cannot be loaded. */
  callUrl: string | null
  problem: HookProblem | null
  /** Current policy of the hook; null for a finished delivery. */
  retryPolicy: RetryPolicy | null
}

export interface AttemptRecord {
  eventId: string
  hookId: number
  round: number
  attempt: number
  startedAt: Date
  reason: AttemptReason
  status: number | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  bodyMs: number | null
  totalMs: number
  answerHeaders: string | null
  answerBody: Buffer | null
  worker: string
}

/** Returns undefined if the account has no such event. */
export function readEventRecord(
  db: Database,
  accountId: number,
  eventId: string,
): Promise<EventRecord | undefined> {
  const day = dayOfEvent(eventId)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const event = await sql<Omit<EventRecord, 'deliveries' | 'attempts' | 'parked'> & Parked>`
        SELECT events.id, events.account_id, type, data, accepted_at, occurred_at, message_id, sender, recipient,
               foreign_id, test_hook_id, test_consumer_id, coalesce(test_hook_id, test_consumer_id) IS NOT NULL AS is_test,
               traceparent, producers.name AS producer,
               parked.reason AS parked_reason, parked.parked_at,
               routes.hooks_version, routes.routed_at, inbox.event_id IS NOT NULL AS is_in_inbox
        FROM events
        LEFT JOIN producers ON producers.id = events.producer_id
        LEFT JOIN routes ON routes.event_id = events.id AND routes.account_id = events.account_id
                         AND ${within(day, 'routes.event_id')}
        LEFT JOIN parked ON parked.event_id = events.id
        LEFT JOIN inbox ON inbox.event_id = events.id
        WHERE events.account_id = ${accountId} AND events.id = ${eventId} AND ${within(day, 'events.id')}
      `.execute(trx)
      const [found] = event.rows
      if (found === undefined) return undefined
      const deliveries = await sql<DeliveryRecord & { hooksVersion: string | null }>`
        SELECT hook_id, round, state, reason, attempts, finished_at, NULL::timestamptz AS due_at, false AS is_retry_after,
               false AS is_leased, NULL::timestamptz AS not_before, hooks_version, NULL AS call_url, NULL AS problem,
               NULL AS retry_policy
        FROM deliveries
        WHERE account_id = ${accountId} AND event_id = ${eventId} AND ${within(day, 'event_id')}
        UNION ALL
        SELECT work.hook_id, round, CASE WHEN held THEN 'held' ELSE 'waiting' END,
               CASE WHEN suspects.quarantined_at IS NOT NULL THEN 'quarantined' END, attempts, NULL, nullif(work.due_at, 'infinity'),
               attempts > 0 AND waits_since IS NULL, lease IS NOT NULL,
               CASE WHEN lane.open_seconds > 0 THEN nullif(lane.not_before, 'infinity') END, hooks_version,
               hooks.call_url, hook_problems.problem, hooks.retry_policy
        FROM work LEFT JOIN lane ON lane.account_id = work.account_id AND lane.hook_id = work.hook_id
        LEFT JOIN hooks ON hooks.account_id = work.account_id AND hooks.id = work.hook_id
        LEFT JOIN hook_problems ON hook_problems.account_id = work.account_id AND hook_problems.hook_id = work.hook_id
        LEFT JOIN suspects ON suspects.event_id = work.event_id AND suspects.hook_id = work.hook_id
                           AND work.due_at = 'infinity'
        WHERE work.account_id = ${accountId} AND work.event_id = ${eventId}
        ORDER BY hook_id, round
      `.execute(trx)
      const attempts = await sql<AttemptRecord>`
        SELECT event_id, hook_id, round, attempt, started_at, reason, status, dns_ms, connect_ms, tls_ms, first_byte_ms,
               body_ms, total_ms, answer_headers, answer_body, worker
        FROM all_attempts
        WHERE account_id = ${accountId} AND event_id = ${eventId} AND ${within(day, 'event_id')}
        ORDER BY hook_id, round, attempt
      `.execute(trx)
      const { parkedReason, parkedAt, ...record } = found
      return {
        ...record,
        hooksVersion:
          found.hooksVersion ??
          deliveries.rows.find((delivery) => delivery.round === 1)?.hooksVersion ??
          null,
        parked: parkedReason === null || parkedAt === null ? null : { reason: parkedReason, at: parkedAt },
        deliveries: deliveries.rows,
        attempts: attempts.rows,
      }
    })
}

interface Parked {
  parkedReason: string | null
  parkedAt: Date | null
}
