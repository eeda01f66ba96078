/** Reads the notices of an account, and which of them a user has seen. */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import type { EmailState, NoticeState } from '../model/notice.ts'
import type { DescribedNotice } from './describe-notice.ts'

interface ListedNotice extends DescribedNotice {
  id: number
  hookId: number
  state: NoticeState
  emails: NoticeEmail[]
}

/** A notice by email to one user. */
interface NoticeEmail {
  alias: string
  /** The address of the last attempt; null before the first. */
  address: string | null
  state: EmailState
  smtpCode: number | null
  /** When the state became final; null while queued. */
  finishedAt: Date | null
}

/** Lists notices, newest first. */
export async function listNotices(
  db: Database,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ListedNotice[]> {
  const { rows } = await sql<Omit<ListedNotice, 'emails'>>`
    SELECT id::float8 AS id, hook_id, kind, streak, created_at, detail, state FROM notices
    WHERE account_id = ${accountId} AND id < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY id DESC LIMIT ${limit}
  `.execute(db)
  const emails = await readEmails(
    db,
    accountId,
    rows.map(({ id }) => id),
  )
  return rows.map((notice) => ({ ...notice, emails: emails.get(notice.id) ?? [] }))
}

async function readEmails(
  db: Database,
  accountId: number,
  noticeIds: readonly number[],
): Promise<Map<number, NoticeEmail[]>> {
  const { rows } = await sql<NoticeEmail & { noticeId: number }>`
    SELECT notice_id::float8 AS notice_id, alias, address, smtp_code, finished_at,
           CASE WHEN send_at IS NOT NULL THEN 'queued' ELSE coalesce(emails.state, 'dropped') END AS state
    FROM notice_recipients AS recipients
    JOIN logins ON logins.id = recipients.login_id
    LEFT JOIN notice_emails AS emails ON emails.account_id = recipients.account_id AND emails.id = recipients.email_id
    WHERE recipients.account_id = ${accountId} AND notice_id = ANY (${plainArray(noticeIds)}::bigint[])
    ORDER BY notice_id, alias
  `.execute(db)
  return Map.groupBy(rows, ({ noticeId }) => noticeId)
}

const maxUnread = 1_000

/** Counts the notices that the user has not seen, up to a limit. Dropped notices do not count. */
export async function countUnread(db: Database, accountId: number, loginId: number): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*)::integer AS unread FROM (
      SELECT FROM notices WHERE account_id = ${accountId} AND state <> 'dropped' AND id > coalesce((
        SELECT notice_id FROM notice_reads WHERE account_id = ${accountId} AND login_id = ${loginId}), 0)
      LIMIT ${maxUnread}
    ) AS unseen
  `.execute(db)
  return rows[0]?.unread ?? 0
}

/** Marks a notice and all older ones as seen by the user. Ids beyond the newest notice count as the newest. */
export async function markSeen(
  db: Database,
  accountId: number,
  loginId: number,
  noticeId: number,
): Promise<void> {
  await sql`
    INSERT INTO notice_reads AS existing (account_id, login_id, notice_id)
    SELECT ${accountId}::integer, ${loginId}::integer, max(id) FROM notices WHERE account_id = ${accountId} AND id <= ${noticeId}
    HAVING max(id) IS NOT NULL
    ON CONFLICT (account_id, login_id) DO UPDATE SET notice_id = greatest(existing.notice_id, excluded.notice_id)
  `.execute(db)
}

interface TestEmail {
  state: EmailState
  smtpCode: number | null
  createdAt: Date
}

/** Returns the last test email of a user. */
export async function readLastTest(
  db: Database,
  accountId: number,
  loginId: number,
): Promise<TestEmail | undefined> {
  const { rows } = await sql<TestEmail>`
    SELECT state, smtp_code, created_at FROM notice_emails
    WHERE account_id = ${accountId} AND login_id = ${loginId} AND is_test ORDER BY created_at DESC LIMIT 1
  `.execute(db)
  return rows[0]
}
