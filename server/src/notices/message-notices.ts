import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { actorAlias, changedName } from './changed-names.ts'
import type { SentNotice } from './group-notices.ts'
import type { LeasedMessage } from './message-queue.ts'
import { modeForChannel, modeForUser } from './mode-for.ts'
import { isStillTrue } from './still-true.ts'

/** Returns the notices of a message that are still true and still wanted, and drops the others for its recipient. */
export async function readMessageNotices(
  db: Database,
  { accountId, id, loginId, channelId }: Pick<LeasedMessage, 'accountId' | 'id' | 'loginId' | 'channelId'>,
): Promise<SentNotice[]> {
  const mode =
    loginId === null ? modeForChannel(sql`${channelId}::integer`) : modeForUser(sql`${loginId}::integer`)
  const { rows } = await sql<SentNotice & { isCurrent: boolean }>`
    SELECT notices.id::float8 AS id, hook_id, kind, streak, notices.created_at, detail, name, call_url,
           ${actorAlias} AS actor_name, ${changedName} AS subject_name, ${isStillTrue} AND ${mode} <> 'off' AS is_current
    FROM notice_recipients AS recipients
    JOIN notices ON notices.account_id = recipients.account_id AND notices.id = recipients.notice_id
    LEFT JOIN hooks ON hooks.account_id = notices.account_id AND hooks.id = notices.hook_id
    WHERE recipients.account_id = ${accountId} AND recipients.message_id = ${id}
    ORDER BY notices.id
  `.execute(db)
  const outdated = rows.filter(({ isCurrent }) => !isCurrent).map((row) => row.id)
  if (outdated.length > 0)
    await sql`
      UPDATE notice_recipients SET message_id = NULL
      WHERE account_id = ${accountId} AND message_id = ${id} AND notice_id = ANY (${plainArray(outdated)}::bigint[])
    `.execute(db)
  return rows.filter(({ isCurrent }) => isCurrent)
}
