/**
 * The queue of messages. A worker leases a message by setting its next attempt to the end of the lease, and counts the
 * attempt. So the message of a dead worker is retried, and a worker that lost its lease changes nothing.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import { countChange } from '../db/change-count.ts'
import type { Database } from '../db/database.ts'

/** To a user or to a channel. */
export interface LeasedMessage {
  accountId: number
  id: number
  loginId: number | null
  channelId: number | null
  /** Instead of the email of the user. */
  toAddress: string | null
  isTest: boolean
  messageId: string
  attempts: number
}

/** Longer than an attempt takes: each of its steps has a timeout. */
const leaseSeconds = 300
const maxBackoffSeconds = 3_600
const maxAgeHours = 24

/** Leases due emails. */
export function leaseEmails(db: Database, max: number): Promise<LeasedMessage[]> {
  return lease(
    db,
    sql`
      SELECT account_id, id FROM notice_messages WHERE state = 'queued' AND NOT is_chat AND next_at <= now()
      ORDER BY next_at LIMIT ${max} FOR UPDATE SKIP LOCKED`,
  )
}

/** Candidates to choose from: an account can have 20 channels. */
const maxCandidates = 500

/** Leases due chat messages, one per account, of accounts that have none in progress here. */
export function leaseChats(
  db: Database,
  max: number,
  busyAccounts: readonly number[],
): Promise<LeasedMessage[]> {
  return lease(
    db,
    sql`
      SELECT account_id, id FROM notice_messages
      WHERE state = 'queued' AND next_at <= now() AND (account_id, id) IN (
        SELECT account_id, id FROM (
          SELECT DISTINCT ON (account_id) account_id, id, attempts, next_at FROM (
            SELECT account_id, id, attempts, next_at FROM notice_messages
            WHERE state = 'queued' AND is_chat AND next_at <= now()
              AND account_id <> ALL (${plainArray(busyAccounts)}::integer[])
            ORDER BY attempts, next_at LIMIT ${maxCandidates}
          ) AS due ORDER BY account_id, attempts, next_at
        ) AS first ORDER BY attempts, next_at LIMIT ${max})
      FOR UPDATE SKIP LOCKED`,
  )
}

async function lease(db: Database, due: RawBuilder<unknown>): Promise<LeasedMessage[]> {
  const { rows } = await sql<LeasedMessage>`
    WITH due AS MATERIALIZED (${due})
    UPDATE notice_messages SET attempts = attempts + 1, next_at = now() + ${leaseSeconds} * interval '1 second'
    FROM due
    WHERE notice_messages.account_id = due.account_id AND notice_messages.id = due.id
    RETURNING notice_messages.account_id, notice_messages.id::float8 AS id, login_id, channel_id, to_address, is_test,
              message_id, attempts
  `.execute(db)
  return rows
}

/** Where the message was sent to: an email, or the host of a chat service. */
interface Attempted {
  address: string | null
  /** Response of the mail server, or HTTP status. */
  responseCode?: number | null
  /** Why there was no response. */
  reason?: string | null
}

export type AttemptResult = ({ state: 'sent' | 'refused' | 'failed' } & Attempted) | { state: 'dropped' }

/** Records the result of an attempt. A failed one is retried after 1, 2, 4, … minutes, at most hourly, for a day. */
export async function settleMessage(
  db: Database,
  message: LeasedMessage,
  result: AttemptResult,
): Promise<void> {
  const { state } = result
  const {
    address,
    responseCode = null,
    reason = null,
  }: Attempted = 'address' in result ? result : { address: null }
  const isTooOld = sql`created_at < now() - ${maxAgeHours} * interval '1 hour'`
  await sql`
    UPDATE notice_messages SET address = ${address}, response_code = ${responseCode}, reason = ${reason},
      state = ${state === 'failed' ? sql`CASE WHEN ${isTooOld} THEN 'expired' ELSE 'queued' END` : state},
      next_at = now() + least(60 * power(2, attempts - 1), ${maxBackoffSeconds}) * interval '1 second',
      finished_at = ${state === 'failed' ? sql`CASE WHEN ${isTooOld} THEN now() END` : sql`now()`}
    WHERE account_id = ${message.accountId} AND id = ${message.id} AND attempts = ${message.attempts}
      AND state = 'queued'
  `.execute(db)
}

/** Queues a test email to a user. */
export async function queueTestEmail(db: Database, accountId: number, loginId: number): Promise<void> {
  await sql`
    INSERT INTO notice_messages (account_id, login_id, is_test) VALUES (${accountId}, ${loginId}, true)
  `.execute(db)
}

/** Each test is a request to a server that the user chose. */
const testLimits = { perMinute: 10, perDay: 200 }

/** Queues a test to a channel that is confirmed. */
export async function queueChannelTest(
  db: Database,
  accountId: number,
  channelId: number,
): Promise<'queued' | 'unknown' | 'unconfirmed'> {
  return db.transaction().execute(async (trx) => {
    const channel = await trx
      .selectFrom('noticeChannels')
      .select(['confirmedAt', 'kind'])
      .where('accountId', '=', accountId)
      .where('id', '=', channelId)
      .executeTakeFirst()
    if (channel === undefined) return 'unknown'
    if (channel.confirmedAt === null) return 'unconfirmed'
    await countChange(trx, accountId, 'channels', testLimits)
    await trx
      .insertInto('noticeMessages')
      .values({ accountId, channelId, isTest: true, isChat: channel.kind !== 'email' })
      .execute()
    return 'queued'
  })
}
