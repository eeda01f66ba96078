import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import type { LeasedEmail } from './email-queue.ts'
import type { HookNotice } from './group-notices.ts'
import { modeFor } from './mode-for-user.ts'
import { isStillTrue } from './still-true.ts'

/** Returns the notices of an email that are still true and still wanted, and drops the others for its user. */
export async function readEmailNotices(
  db: Database,
  { accountId, id, loginId }: Pick<LeasedEmail, 'accountId' | 'id' | 'loginId'>,
): Promise<HookNotice[]> {
  const { rows } = await sql<HookNotice & { id: number; isCurrent: boolean }>`
    SELECT notices.id::float8 AS id, hook_id, kind, streak, notices.created_at, detail, name,
           coalesce(call_url, '') AS call_url, ${isStillTrue} AND ${modeFor(sql`${loginId}::integer`)} <> 'off' AS is_current
    FROM notice_recipients AS recipients
    JOIN notices ON notices.account_id = recipients.account_id AND notices.id = recipients.notice_id
    LEFT JOIN hooks ON hooks.account_id = notices.account_id AND hooks.id = notices.hook_id
    WHERE recipients.account_id = ${accountId} AND recipients.email_id = ${id}
    ORDER BY notices.id
  `.execute(db)
  const outdated = rows.filter(({ isCurrent }) => !isCurrent).map((row) => row.id)
  if (outdated.length > 0)
    await sql`
      UPDATE notice_recipients SET email_id = NULL
      WHERE account_id = ${accountId} AND login_id = ${loginId} AND email_id = ${id}
        AND notice_id = ANY (${plainArray(outdated)}::bigint[])
    `.execute(db)
  return rows.filter(({ isCurrent }) => isCurrent)
}
