/**
 * Composes messages: assigns due notices to the users and channels of their account, and all that a recipient is to get now
 * to one message. The first due notice of an account takes the others along, so an outage of many webhooks is one message.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database, Trx } from '../db/database.ts'
import { asDatabase } from '../db/nested.ts'
import { integer, smallint, text, unnestRows } from '../db/rows.ts'
import { readRecipients, readUsers, type Recipient } from '../identity/members/recipients.ts'
import { readNewestFailures } from '../stats/hook-stats.ts'
import { urgentKinds } from './kind-lists.ts'
import { modeForChannel, modeForUser } from './mode-for.ts'
import { isStillTrue } from './still-true.ts'

/** Rows of notices and recipients per statement: far below the timeout of statements. */
const maxRows = 10_000
/** Bounds the notices of a step for an account with few recipients. */
const minRecipients = 10
/** An account keeps its newest notices. */
const maxKept = 2_000
/** Those that recipients still wait for are kept longer, if the account has few recipients. */
const maxUnsent = 10_000
const maxUnsentRows = 400_000
/** Due rows to choose an account from. */
const maxCandidates = 10_000
/** UTC hour of digests. Weekly ones are sent on Mondays. */
const digestHour = 8

/**
 * Composes the messages of one account with due notices. Returns 0 if there is none. Without a mail server, notices are
 * listed and no user gets an email. An account that fails is postponed, so it does not delay the others.
 */
export function composeNext(
  db: Database,
  { sendsEmail, onError }: { sendsEmail: boolean; onError: (error: unknown) => void },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const accountId = await lockDueAccount(trx)
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

/** A step. The account stays due until all its waiting notices are assigned, and all due recipients have messages. */
async function composeAccount(trx: Trx, accountId: number, sendsEmail: boolean): Promise<void> {
  const loginIds = sendsEmail ? idsOf(await readRecipients(trx, accountId)) : []
  const channelIds = await readChannelIds(trx, accountId, sendsEmail)
  const recipients = minRecipients + loginIds.length + channelIds.length
  const maxNotices = Math.floor(maxRows / recipients)
  const { ready, areMore } = await settleDue(trx, accountId, maxNotices)
  await addFailures(trx, accountId, ready)
  const personal = sendsEmail
    ? await readUsers(
        trx,
        accountId,
        ready.flatMap(({ loginId }) => loginId ?? []),
      )
    : []
  await assignRecipients(trx, accountId, ready, {
    loginIds: [...new Set([...loginIds, ...idsOf(personal)])],
    channelIds,
  })
  if (!areMore) await createMessages(trx, accountId)
  const unsent = Math.min(maxUnsent, Math.max(maxKept, Math.floor(maxUnsentRows / recipients)))
  await pruneOldest(trx, accountId, { unsent, perStep: 2 * maxNotices })
}

function idsOf(recipients: readonly Recipient[]): number[] {
  return recipients.map(({ loginId }) => loginId)
}

async function readChannelIds(trx: Trx, accountId: number, sendsEmail: boolean): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM notice_channels WHERE account_id = ${accountId} AND (kind <> 'email' OR ${sendsEmail})
  `.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Chooses the account with the fewest due rows: one that has thousands delays no other. The lock makes one worker at a time
 * compose the messages of an account, so nobody gets two for one cause.
 */
async function lockDueAccount(trx: Trx): Promise<number | undefined> {
  const { rows } = await sql<{ accountId: number }>`
    WITH due AS MATERIALIZED (
      SELECT account_id FROM (
        (SELECT account_id FROM notices WHERE state = 'waiting' AND due_at <= now() ORDER BY due_at LIMIT ${maxCandidates})
        UNION ALL
        (SELECT account_id FROM notice_recipients WHERE send_at <= now() ORDER BY send_at LIMIT ${maxCandidates})
      ) AS candidates
      GROUP BY account_id ORDER BY count(*)
    )
    SELECT account_id FROM due
    WHERE pg_try_advisory_xact_lock(hashtext('hookline notices'), account_id) LIMIT 1
  `.execute(trx)
  return rows[0]?.accountId
}

interface ReadyNotice {
  id: number
  hookId: number | null
  /** Set if the notice is for this user only. */
  loginId: number | null
}

/** Drops waiting notices that became untrue, and returns the others. */
async function settleDue(
  trx: Trx,
  accountId: number,
  max: number,
): Promise<{ ready: ReadyNotice[]; areMore: boolean }> {
  const { rows } = await sql<ReadyNotice & { state: string }>`
    UPDATE notices SET state = CASE WHEN ${isStillTrue} THEN 'ready' ELSE 'dropped' END,
      is_open = is_open AND ${isStillTrue}
    WHERE account_id = ${accountId} AND id IN (
      SELECT id FROM notices WHERE account_id = ${accountId} AND state = 'waiting' ORDER BY id LIMIT ${max})
    RETURNING id::float8 AS id, hook_id, login_id, state
  `.execute(trx)
  return { ready: rows.filter(({ state }) => state === 'ready'), areMore: rows.length === max }
}

/** Adds the latest failure of each webhook, the likely cause. */
async function addFailures(trx: Trx, accountId: number, ready: readonly ReadyNotice[]): Promise<void> {
  const hookIds = [...new Set(ready.flatMap(({ hookId }) => hookId ?? []))]
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

/** A recovery is only for recipients that were told about the failure. */
async function assignRecipients(
  trx: Trx,
  accountId: number,
  ready: readonly ReadyNotice[],
  { loginIds, channelIds }: { loginIds: readonly number[]; channelIds: readonly number[] },
): Promise<void> {
  if (ready.length === 0) return
  await sql`
    INSERT INTO notice_recipients (account_id, notice_id, login_id, channel_id, send_at)
    SELECT notices.account_id, notices.id, recipients.login_id, recipients.channel_id, CASE mode
      WHEN 'instant' THEN now() WHEN 'daily' THEN ${nextMorning('day')} ELSE ${nextMorning('week')} END
    FROM notices
    CROSS JOIN (
      SELECT login_id, NULL::integer AS channel_id FROM unnest(${plainArray(loginIds)}::integer[]) AS users (login_id)
      UNION ALL
      SELECT NULL, channel_id FROM unnest(${plainArray(channelIds)}::integer[]) AS channels (channel_id)
    ) AS recipients
    CROSS JOIN LATERAL (
      SELECT CASE WHEN recipients.login_id IS NULL THEN ${modeForChannel(sql`recipients.channel_id`)}
                  ELSE ${modeForUser(sql`recipients.login_id`)} END AS mode
    ) AS preference
    WHERE notices.account_id = ${accountId} AND ${isAnyOf(ready)} AND mode <> 'off'
      AND (notices.kind <> 'recovered' OR EXISTS (
        SELECT FROM notices AS failures
        JOIN notice_recipients AS told ON told.account_id = failures.account_id AND told.notice_id = failures.id
        JOIN notice_messages AS messages ON messages.account_id = told.account_id AND messages.id = told.message_id
        WHERE failures.account_id = notices.account_id AND failures.subject = notices.subject
          AND failures.streak >= notices.streak AND failures.id < notices.id AND messages.state = 'sent'
          AND (failures.kind LIKE 'failing%' OR failures.kind = 'backing_off')
          AND told.login_id IS NOT DISTINCT FROM recipients.login_id
          AND told.channel_id IS NOT DISTINCT FROM recipients.channel_id))
    ON CONFLICT DO NOTHING
  `.execute(trx)
}

/** The next time for digests: each day, or each Monday. */
function nextMorning(unit: 'day' | 'week'): RawBuilder<Date> {
  const hours = sql`${digestHour} * interval '1 hour'`
  return sql<Date>`date_trunc(${unit}, now() - ${hours}, 'UTC') + ${`1 ${unit}`}::interval + ${hours}`
}

/**
 * Creates a message for some of the recipients with due notices, at least one. After a message, others wait for the rest of an hour, unless one is
 * urgent. A notice for another address than that of the user is a message of its own.
 */
async function createMessages(trx: Trx, accountId: number): Promise<void> {
  await sql`
    WITH chosen AS MATERIALIZED (
      SELECT max(recipient) AS last FROM (
        SELECT recipient, rows, sum(rows) OVER (ORDER BY recipient) AS total FROM (
          SELECT ${recipientIn('waiting')} AS recipient, count(*) AS rows FROM notice_recipients AS waiting
          WHERE account_id = ${accountId} AND send_at <= now() GROUP BY 1
        ) AS counted
      ) AS summed WHERE total - rows < ${maxRows}
    ), due AS MATERIALIZED (
      SELECT recipients.ctid AS place, recipients.login_id, recipients.channel_id, ${recipientIn('recipients')} AS recipient,
             coalesce(notices.detail ->> 'address', '') AS to_address, notices.kind = ANY (${urgentKinds}) AS is_urgent
      FROM notice_recipients AS recipients
      JOIN notices ON notices.account_id = recipients.account_id AND notices.id = recipients.notice_id
      WHERE recipients.account_id = ${accountId} AND recipients.send_at <= now()
        AND ${recipientIn('recipients')} <= (SELECT last FROM chosen)
    ), recent AS MATERIALIZED (
      SELECT ${recipientIn('messages')} AS recipient, max(created_at) AS last_message_at FROM notice_messages AS messages
      WHERE account_id = ${accountId} AND created_at > now() - interval '1 hour' AND NOT is_test AND state <> 'dropped'
      GROUP BY 1
    ), recipients AS MATERIALIZED (
      SELECT recipient, to_address, login_id, channel_id, last_message_at, bool_or(is_urgent) AS is_urgent
      FROM due LEFT JOIN recent USING (recipient)
      GROUP BY recipient, to_address, login_id, channel_id, last_message_at
    ), created AS (
      INSERT INTO notice_messages (account_id, login_id, channel_id, to_address, is_chat)
      SELECT ${accountId}::integer, login_id, channel_id, nullif(to_address, ''), EXISTS (
        SELECT FROM notice_channels AS channels
        WHERE channels.account_id = ${accountId} AND channels.id = recipients.channel_id AND channels.kind <> 'email')
      FROM recipients WHERE is_urgent OR last_message_at IS NULL
      RETURNING id, ${recipientIn('notice_messages')} AS recipient, coalesce(to_address, '') AS to_address
    )
    UPDATE notice_recipients AS waiting
    SET message_id = created.id, send_at = CASE WHEN created.id IS NULL THEN last_message_at + interval '1 hour' END
    FROM due
    JOIN recipients USING (recipient, to_address)
    LEFT JOIN created USING (recipient, to_address)
    WHERE waiting.ctid = due.place
  `.execute(trx)
}

/** The user or the channel of a row as one number. */
function recipientIn(table: string): RawBuilder<number> {
  return sql<number>`coalesce(${sql.ref(`${table}.login_id`)}, -${sql.ref(`${table}.channel_id`)})`
}

/** Deletes some of the oldest notices, more than a step adds. So a flood of notices discards none that is not sent. */
async function pruneOldest(
  trx: Trx,
  accountId: number,
  { unsent, perStep }: { unsent: number; perStep: number },
): Promise<void> {
  const newest = (count: number) =>
    sql`(SELECT id FROM notices WHERE account_id = ${accountId} ORDER BY id DESC OFFSET ${count} LIMIT 1)`
  await sql`
    WITH oldest AS MATERIALIZED (
      SELECT id FROM notices
      WHERE account_id = ${accountId} AND state <> 'waiting' AND NOT is_open AND id <= ${newest(maxKept)}
      ORDER BY id LIMIT ${perStep}
    )
    DELETE FROM notices USING oldest
    WHERE notices.account_id = ${accountId} AND notices.id = oldest.id
      AND (notices.id <= ${newest(unsent)} OR NOT EXISTS (
        SELECT FROM notice_recipients AS recipients
        LEFT JOIN notice_messages AS messages
          ON messages.account_id = recipients.account_id AND messages.id = recipients.message_id
        WHERE recipients.account_id = notices.account_id AND recipients.notice_id = notices.id
          AND (send_at IS NOT NULL OR messages.state = 'queued')))
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
