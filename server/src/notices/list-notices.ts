/** Reads the notices of an account, and which of them a user has seen. */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import type { ChannelKind, MessageState, NoticeState } from '../model/notice.ts'
import { actorAlias, changedName } from './changed-names.ts'
import type { LastMessage } from './channels.ts'
import type { SentNotice } from './group-notices.ts'

interface ListedNotice extends SentNotice {
  state: NoticeState
  messages: NoticeMessage[]
}

/** A notice to one user or channel. */
interface NoticeMessage {
  /** Alias of the user; null for a channel. */
  alias: string | null
  /** Name and kind of the channel; null for a user. */
  channelName: string | null
  channelKind: ChannelKind | null
  /** The address of the last attempt, of a chat service its host; null before the first. */
  address: string | null
  state: MessageState
  responseCode: number | null
  reason: string | null
  /** When the state became final; null while queued. */
  finishedAt: Date | null
}

interface Reader {
  accountId: number
  loginId: number
  /** Set in a session of single sign-on. */
  sso: object | null
}

/**
 * A user sees the notices of the account, and those for this user only. The latter are about the login, so a session that the
 * provider of one account may have started does not see them.
 */
function isVisibleTo({ loginId, sso }: Reader): RawBuilder<boolean> {
  return sso === null
    ? sql<boolean>`coalesce(notices.login_id = ${loginId}, true)`
    : sql<boolean>`notices.login_id IS NULL`
}

interface Page {
  before: number | undefined
  limit: number
}

/** Lists notices that the user may see, newest first. */
export async function listNotices(
  db: Database,
  reader: Reader,
  { before, limit }: Page,
): Promise<ListedNotice[]> {
  const { accountId } = reader
  const { rows } = await sql<Omit<ListedNotice, 'messages'>>`
    SELECT notices.id::float8 AS id, hook_id, kind, streak, notices.created_at, detail, state, name, call_url,
           ${actorAlias} AS actor_name, ${changedName} AS subject_name
    FROM notices
    LEFT JOIN hooks ON hooks.account_id = notices.account_id AND hooks.id = notices.hook_id
    WHERE notices.account_id = ${accountId} AND notices.id < ${before ?? Number.MAX_SAFE_INTEGER}
      AND ${isVisibleTo(reader)}
    ORDER BY notices.id DESC LIMIT ${limit}
  `.execute(db)
  const messages = await readMessages(
    db,
    accountId,
    rows.map(({ id }) => id),
  )
  return rows.map((notice) => ({ ...notice, messages: messages.get(notice.id) ?? [] }))
}

async function readMessages(
  db: Database,
  accountId: number,
  noticeIds: readonly number[],
): Promise<Map<number, NoticeMessage[]>> {
  const { rows } = await sql<NoticeMessage & { noticeId: number }>`
    SELECT notice_id::float8 AS notice_id, alias, channels.name AS channel_name, channels.kind AS channel_kind,
           messages.address, response_code, reason, finished_at,
           CASE WHEN send_at IS NOT NULL THEN 'queued' ELSE coalesce(messages.state, 'dropped') END AS state
    FROM notice_recipients AS recipients
    LEFT JOIN logins ON logins.id = recipients.login_id
    LEFT JOIN notice_channels AS channels
      ON channels.account_id = recipients.account_id AND channels.id = recipients.channel_id
    LEFT JOIN notice_messages AS messages
      ON messages.account_id = recipients.account_id AND messages.id = recipients.message_id
    WHERE recipients.account_id = ${accountId} AND notice_id = ANY (${plainArray(noticeIds)}::bigint[])
    ORDER BY notice_id, alias, channels.id
  `.execute(db)
  return Map.groupBy(rows, ({ noticeId }) => noticeId)
}

const maxUnread = 1_000

/** Counts the notices that the user has not seen, up to a limit. Dropped notices do not count. */
export async function countUnread(db: Database, reader: Reader): Promise<number> {
  const { accountId, loginId } = reader
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*)::integer AS unread FROM (
      SELECT FROM notices
      WHERE account_id = ${accountId} AND state <> 'dropped' AND ${isVisibleTo(reader)} AND id > coalesce((
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

/** Returns the last email to an address of a user, if it has bounced. */
export async function readBounced(
  db: Database,
  { accountId, loginId }: { accountId: number; loginId: number },
  address: string,
): Promise<LastMessage | undefined> {
  const { rows } = await sql<LastMessage>`
    SELECT * FROM (
      SELECT state, is_test, response_code, reason, created_at FROM notice_messages
      WHERE account_id = ${accountId} AND login_id = ${loginId} AND address = ${address}
        AND state IN ('sent', 'bounced')
      ORDER BY created_at DESC LIMIT 1
    ) AS newest WHERE state = 'bounced'
  `.execute(db)
  return rows[0]
}

/** Returns the last test email of a user. */
export async function readLastTest(
  db: Database,
  accountId: number,
  loginId: number,
): Promise<LastMessage | undefined> {
  const { rows } = await sql<LastMessage>`
    SELECT state, is_test, response_code, reason, created_at FROM notice_messages
    WHERE account_id = ${accountId} AND login_id = ${loginId} AND is_test ORDER BY created_at DESC LIMIT 1
  `.execute(db)
  return rows[0]
}
