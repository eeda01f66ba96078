import { type RawBuilder, sql } from 'kysely'
import { kindsWithGroup } from './kind-lists.ts'

/** Members who manage webhooks get emails unless they turn them off. Others get none unless they turn them on. */
export const defaultMode = sql<string>`CASE WHEN role IN ('viewer', 'support') THEN 'off' ELSE 'instant' END`

/** How the member `login_id` wants the row of `notices`: instant, daily or off. A muted webhook is off. */
export function modeFor(loginId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`CASE WHEN EXISTS (
      SELECT FROM notice_mutes AS mutes
      WHERE mutes.account_id = notices.account_id AND mutes.login_id = ${loginId} AND mutes.hook_id = notices.hook_id
    ) THEN 'off' ELSE coalesce((
      SELECT mode FROM notice_preferences AS preferences
      JOIN ${kindsWithGroup} ON kinds.kind_group = preferences.kind_group AND kinds.kind = notices.kind
      WHERE preferences.account_id = notices.account_id AND preferences.login_id = ${loginId}
    ), (
      SELECT ${defaultMode} FROM memberships
      WHERE memberships.account_id = notices.account_id AND memberships.login_id = ${loginId}
    ), 'off') END`
}
