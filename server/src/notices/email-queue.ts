/**
 * The queue of emails. A worker leases an email by setting its next attempt to the end of the lease, and counts the
 * attempt. So the email of a dead worker is retried, and a worker that lost its lease changes nothing.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export interface LeasedEmail {
  accountId: number
  id: number
  loginId: number
  isTest: boolean
  messageId: string
  attempts: number
}

/** Longer than an attempt takes: each of its steps has a timeout. */
const leaseSeconds = 300
const maxBackoffSeconds = 3_600
const maxAgeHours = 24

export async function leaseEmails(db: Database, max: number): Promise<LeasedEmail[]> {
  const { rows } = await sql<LeasedEmail>`
    WITH due AS MATERIALIZED (
      SELECT account_id, id FROM notice_emails WHERE state = 'queued' AND next_at <= now()
      ORDER BY next_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    )
    UPDATE notice_emails SET attempts = attempts + 1, next_at = now() + ${leaseSeconds} * interval '1 second'
    FROM due
    WHERE notice_emails.account_id = due.account_id AND notice_emails.id = due.id
    RETURNING notice_emails.account_id, notice_emails.id::float8 AS id, login_id, is_test, message_id, attempts
  `.execute(db)
  return rows
}

export type AttemptResult =
  | { state: 'sent'; address: string }
  | { state: 'refused'; address: string; smtpCode: number }
  | { state: 'failed'; address: string | null; smtpCode: number | null }
  | { state: 'dropped' }

/** Records the result of an attempt. A failed one is retried after 1, 2, 4, … minutes, at most hourly, for a day. */
export async function settleEmail(db: Database, email: LeasedEmail, result: AttemptResult): Promise<void> {
  const { state } = result
  const address = 'address' in result ? result.address : null
  const smtpCode = 'smtpCode' in result ? result.smtpCode : null
  const isTooOld = sql`created_at < now() - ${maxAgeHours} * interval '1 hour'`
  await sql`
    UPDATE notice_emails SET address = ${address}, smtp_code = ${smtpCode},
      state = ${state === 'failed' ? sql`CASE WHEN ${isTooOld} THEN 'expired' ELSE 'queued' END` : state},
      next_at = now() + least(60 * power(2, attempts - 1), ${maxBackoffSeconds}) * interval '1 second',
      finished_at = ${state === 'failed' ? sql`CASE WHEN ${isTooOld} THEN now() END` : sql`now()`}
    WHERE account_id = ${email.accountId} AND id = ${email.id} AND attempts = ${email.attempts} AND state = 'queued'
  `.execute(db)
}

/** Queues a test email to a user. */
export async function queueTestEmail(db: Database, accountId: number, loginId: number): Promise<void> {
  await sql`
    INSERT INTO notice_emails (account_id, login_id, is_test) VALUES (${accountId}, ${loginId}, true)
  `.execute(db)
}
