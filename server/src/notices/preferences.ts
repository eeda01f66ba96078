/** What users get by email: their preferences per group of notices, and the webhooks that they muted. */
import { sql } from 'kysely'
import { wordArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { hookNotFound } from '../hooks/read-hook.ts'
import { type NoticeGroup, noticeGroups, type NoticeMode } from '../model/notice.ts'
import { defaultMode } from './mode-for.ts'
import { deleteChannel } from './channels.ts'
import type { Unsubscription } from './unsubscribe-link.ts'

/** A login in an account. */
interface User {
  accountId: number
  loginId: number
}

type Preferences = Record<NoticeGroup, NoticeMode>

export async function readPreferences(db: Database, { accountId, loginId }: User): Promise<Preferences> {
  const { rows } = await sql<{ kindGroup: NoticeGroup; mode: NoticeMode }>`
    SELECT kind_group, coalesce(mode, ${defaultMode(sql`kind_group`)}) AS mode
    FROM memberships
    CROSS JOIN unnest(${wordArray(noticeGroups)}::text[]) AS groups (kind_group)
    LEFT JOIN notice_preferences AS preferences USING (account_id, login_id, kind_group)
    WHERE account_id = ${accountId} AND login_id = ${loginId}
  `.execute(db)
  return Object.fromEntries(rows.map(({ kindGroup, mode }) => [kindGroup, mode])) as Preferences
}

/** Changes the modes of some groups. */
export async function changePreferences(
  db: Database,
  { accountId, loginId }: User,
  modes: { [Group in NoticeGroup]?: NoticeMode | undefined },
): Promise<void> {
  const changed = noticeGroups.flatMap((group) => {
    const mode = modes[group]
    return mode === undefined ? [] : [{ group, mode }]
  })
  await sql`
    INSERT INTO notice_preferences (account_id, login_id, kind_group, mode)
    SELECT ${accountId}::integer, ${loginId}::integer, kind_group, mode FROM unnest(
      ${wordArray(changed.map(({ group }) => group))}::text[],
      ${wordArray(changed.map(({ mode }) => mode))}::text[]) AS changed (kind_group, mode)
    ON CONFLICT (account_id, login_id, kind_group) DO UPDATE SET mode = excluded.mode
  `.execute(db)
}

/** Applies a link of an email. */
export async function unsubscribe(db: Database, unsubscription: Unsubscription): Promise<void> {
  if ('channelId' in unsubscription) {
    const { accountId, channelId } = unsubscription
    await deleteChannel(db, 'visitor', accountId, channelId)
    return
  }
  const { group, ...user } = unsubscription
  const groups = group === 'all' ? noticeGroups : [group]
  await changePreferences(db, user, Object.fromEntries(groups.map((name) => [name, 'off' as const])))
}

export async function readMutedHooks(db: Database, { accountId, loginId }: User): Promise<number[]> {
  const { rows } = await sql<{ hookId: number }>`
    SELECT hook_id FROM notice_mutes
    JOIN hooks ON hooks.account_id = notice_mutes.account_id AND hooks.id = notice_mutes.hook_id
    WHERE notice_mutes.account_id = ${accountId} AND login_id = ${loginId} ORDER BY hook_id
  `.execute(db)
  return rows.map(({ hookId }) => hookId)
}

/** Stops emails to the user about a webhook. Other users still get them. */
export async function muteHook(db: Database, { accountId, loginId }: User, hookId: number): Promise<void> {
  const { rows } = await sql`
    WITH hook AS (SELECT account_id, id FROM hooks WHERE account_id = ${accountId} AND id = ${hookId}), muted AS (
      INSERT INTO notice_mutes (account_id, login_id, hook_id) SELECT account_id, ${loginId}::integer, id FROM hook
      ON CONFLICT DO NOTHING
    )
    SELECT FROM hook
  `.execute(db)
  if (rows.length === 0) throw hookNotFound(hookId)
}

export async function unmuteHook(db: Database, { accountId, loginId }: User, hookId: number): Promise<void> {
  const { rows } = await sql`
    WITH unmuted AS (
      DELETE FROM notice_mutes
      WHERE account_id = ${accountId} AND login_id = ${loginId} AND hook_id = ${hookId}
    )
    SELECT FROM hooks WHERE account_id = ${accountId} AND id = ${hookId}
  `.execute(db)
  if (rows.length === 0) throw hookNotFound(hookId)
}
