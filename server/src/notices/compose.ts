/**
 * Composes emails: assigns due notices to the users of their account, and all that a user is to get now to one email.
 * The first due notice of an account takes the others along, so an outage of many webhooks is one email.
 */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database, Trx } from '../db/database.ts'
import { asDatabase } from '../db/nested.ts'
import { integer, smallint, text, unnestRows } from '../db/rows.ts'
import { readRecipients } from '../identity/members/recipients.ts'
import { readNewestFailures } from '../stats/hook-stats.ts'
import { urgentKinds } from './kind-lists.ts'
import { modeFor } from './mode-for-user.ts'
import { isStillTrue } from './still-true.ts'

const maxPerStep = 1_000
/** An account keeps its newest notices. */
const maxKept = 2_000
/** Accounts to choose from, if other workers are composing emails for some. */
const maxCandidates = 100
/** UTC hour of daily emails. */
const dailyHour = 8

/**
 * Composes the emails of one account with due notices. Returns 0 if there is none. Without a mail server, notices are
 * listed and no user gets an email. An account that fails is postponed, so it does not delay the others.
 */
export function composeNext(
  db: Database,
  { sendsEmail, onError }: { sendsEmail: boolean; onError: (error: unknown) => void },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const accountId = await lockDueAccount(trx, sendsEmail)
    if (accountId === undefined) return 0
    const savepoint = asDatabase(trx).transaction()
    try {
      await savepoint.execute((inner) => composeAccount(inner, accountId, sendsEmail))
    } catch (error) {
      onError(error)
      await postpone(trx, accountId)
    }
    return 1
  })
}

async function composeAccount(trx: Trx, accountId: number, sendsEmail: boolean): Promise<void> {
  const ready = await settleDue(trx, accountId)
  await addFailures(trx, accountId, ready)
  if (sendsEmail) {
    await assignRecipients(trx, accountId, ready)
    await createEmails(trx, accountId)
  }
  await pruneOldest(trx, accountId)
}

/** The lock makes one worker at a time compose the emails of an account, so no user gets two for one cause. */
async function lockDueAccount(trx: Trx, sendsEmail: boolean): Promise<number | undefined> {
  const dueRecipients = sql`
    UNION ALL
    (SELECT account_id FROM notice_recipients WHERE send_at <= now() ORDER BY send_at LIMIT ${maxCandidates})`
  const { rows } = await sql<{ accountId: number }>`
    SELECT account_id FROM (
      (SELECT account_id FROM notices WHERE state = 'waiting' AND due_at <= now() ORDER BY due_at LIMIT ${maxCandidates})
      ${sendsEmail ? dueRecipients : sql``}
    ) AS due
    WHERE pg_try_advisory_xact_lock(hashtext('hookline notices'), account_id) LIMIT 1
  `.execute(trx)
  return rows[0]?.accountId
}

interface ReadyNotice {
  id: number
  hookId: number
}

/** Drops waiting notices that became untrue, and returns the others. */
async function settleDue(trx: Trx, accountId: number): Promise<ReadyNotice[]> {
  const { rows } = await sql<ReadyNotice & { state: string }>`
    UPDATE notices SET state = CASE WHEN ${isStillTrue} THEN 'ready' ELSE 'dropped' END,
      is_open = is_open AND ${isStillTrue}
    WHERE account_id = ${accountId} AND id IN (
      SELECT id FROM notices WHERE account_id = ${accountId} AND state = 'waiting' ORDER BY id LIMIT ${maxPerStep})
    RETURNING id::float8 AS id, hook_id, state
  `.execute(trx)
  return rows.filter(({ state }) => state === 'ready')
}

/** Adds the latest failure of each webhook, the likely cause. */
async function addFailures(trx: Trx, accountId: number, ready: readonly ReadyNotice[]): Promise<void> {
  const hookIds = [...new Set(ready.map(({ hookId }) => hookId))]
  const failures = [...(await readNewestFailures(trx, accountId, hookIds))]
  if (failures.length === 0) return
  await sql`
    UPDATE notices SET detail = detail || jsonb_build_object('reason', failure.reason, 'status', failure.status)
    FROM ${unnestRows('failure', failures, {
      hook_id: integer(([hookId]) => hookId),
      reason: text(([, { reason }]) => reason),
      status: smallint(([, { status }]) => status),
    })}
    WHERE notices.account_id = ${accountId} AND notices.hook_id = failure.hook_id AND ${isAnyOf(ready)}
  `.execute(trx)
}

function isAnyOf(notices: readonly ReadyNotice[]) {
  return sql`notices.id = ANY (${plainArray(notices.map(({ id }) => id))}::bigint[])`
}

/** A recovery is only for users who were told about the failure. */
async function assignRecipients(trx: Trx, accountId: number, ready: readonly ReadyNotice[]): Promise<void> {
  if (ready.length === 0) return
  const loginIds = (await readRecipients(trx, accountId)).map(({ loginId }) => loginId)
  await sql`
    INSERT INTO notice_recipients (account_id, notice_id, login_id, send_at)
    SELECT notices.account_id, notices.id, users.login_id, CASE mode WHEN 'instant' THEN now()
      ELSE date_trunc('day', now() - ${dailyHour} * interval '1 hour', 'UTC') + ${24 + dailyHour} * interval '1 hour' END
    FROM notices
    CROSS JOIN unnest(${plainArray(loginIds)}::integer[]) AS users (login_id)
    CROSS JOIN LATERAL (SELECT ${modeFor(sql.ref('users.login_id'))} AS mode) AS preference
    WHERE notices.account_id = ${accountId} AND ${isAnyOf(ready)} AND mode <> 'off'
      AND (notices.kind <> 'recovered' OR EXISTS (
        SELECT FROM notices AS failures
        JOIN notice_recipients AS told ON told.account_id = failures.account_id AND told.notice_id = failures.id
        JOIN notice_emails AS emails ON emails.account_id = told.account_id AND emails.id = told.email_id
        WHERE failures.account_id = notices.account_id AND failures.hook_id = notices.hook_id
          AND failures.streak = notices.streak AND failures.kind LIKE 'failing%'
          AND told.login_id = users.login_id AND emails.state = 'sent'))
    ON CONFLICT DO NOTHING
  `.execute(trx)
}

/**
 * Creates an email for each user with due notices. After an email, others wait for the rest of an hour, unless one is
 * urgent.
 */
async function createEmails(trx: Trx, accountId: number): Promise<void> {
  await sql`
    WITH due AS MATERIALIZED (
      SELECT recipients.notice_id, recipients.login_id, notices.kind = ANY (${urgentKinds}) AS is_urgent
      FROM notice_recipients AS recipients
      JOIN notices ON notices.account_id = recipients.account_id AND notices.id = recipients.notice_id
      WHERE recipients.account_id = ${accountId} AND recipients.send_at <= now()
    ), users AS MATERIALIZED (
      SELECT login_id, bool_or(is_urgent) AS is_urgent, (
        SELECT max(created_at) FROM notice_emails AS emails
        WHERE emails.account_id = ${accountId} AND emails.login_id = due.login_id
          AND emails.created_at > now() - interval '1 hour' AND NOT is_test AND state <> 'dropped'
      ) AS last_email_at
      FROM due GROUP BY login_id
    ), created AS (
      INSERT INTO notice_emails (account_id, login_id)
      SELECT ${accountId}::integer, login_id FROM users WHERE is_urgent OR last_email_at IS NULL
      RETURNING id, login_id
    )
    UPDATE notice_recipients AS recipients
    SET email_id = created.id, send_at = CASE WHEN created.id IS NULL THEN last_email_at + interval '1 hour' END
    FROM due
    JOIN users ON users.login_id = due.login_id
    LEFT JOIN created ON created.login_id = due.login_id
    WHERE recipients.account_id = ${accountId} AND recipients.notice_id = due.notice_id
      AND recipients.login_id = due.login_id
  `.execute(trx)
}

async function pruneOldest(trx: Trx, accountId: number): Promise<void> {
  await sql`
    DELETE FROM notices WHERE account_id = ${accountId} AND state <> 'waiting' AND NOT is_open AND id <= (
      SELECT id FROM notices WHERE account_id = ${accountId} ORDER BY id DESC OFFSET ${maxKept} LIMIT 1)
  `.execute(trx)
}

async function postpone(trx: Trx, accountId: number): Promise<void> {
  await sql`
    WITH postponed AS (
      UPDATE notice_recipients SET send_at = now() + interval '1 minute'
      WHERE account_id = ${accountId} AND send_at <= now()
    )
    UPDATE notices SET due_at = now() + interval '1 minute'
    WHERE account_id = ${accountId} AND state = 'waiting' AND due_at <= now()
  `.execute(trx)
}
