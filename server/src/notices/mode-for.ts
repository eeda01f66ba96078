/** How recipients want a notice: instant, daily, weekly or off. */
import { type RawBuilder, sql } from 'kysely'
import { kindsWithGroup } from './kind-lists.ts'

/**
 * Members who manage webhooks get emails unless they turn them off, about security those who manage members. Others get none
 * unless they turn them on.
 */
export function defaultMode(group: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`CASE
    WHEN role IN ('viewer', 'support') OR (${group} = 'security' AND role = 'developer') THEN 'off' ELSE 'instant' END`
}

/** Of the member `login_id` for the row of `notices`. A muted webhook is off. Nobody turns off what only they are told. */
export function modeForUser(loginId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`CASE
    WHEN notices.login_id IS NOT NULL THEN CASE WHEN notices.login_id = ${loginId} THEN 'instant' ELSE 'off' END
    WHEN EXISTS (
      SELECT FROM notice_mutes AS mutes
      WHERE mutes.account_id = notices.account_id AND mutes.login_id = ${loginId} AND mutes.hook_id = notices.hook_id
    ) THEN 'off' ELSE coalesce((
      SELECT coalesce(preferences.mode, ${defaultMode(sql`kinds.kind_group`)})
      FROM memberships
      JOIN ${kindsWithGroup} ON kinds.kind = notices.kind
      LEFT JOIN notice_preferences AS preferences
        ON preferences.account_id = memberships.account_id AND preferences.login_id = memberships.login_id
          AND preferences.kind_group = kinds.kind_group
      WHERE memberships.account_id = notices.account_id AND memberships.login_id = ${loginId}
    ), 'off') END`
}

/** Of the channel for the row of `notices`. An unconfirmed channel is off. */
export function modeForChannel(channelId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`CASE WHEN notices.login_id IS NOT NULL THEN 'off' ELSE coalesce((
      SELECT mode FROM notice_channels AS channels
      JOIN ${kindsWithGroup} ON kinds.kind = notices.kind AND kinds.kind_group = ANY (channels.kind_groups)
      WHERE channels.account_id = notices.account_id AND channels.id = ${channelId} AND confirmed_at IS NOT NULL
    ), 'off') END`
}
