import { type RawBuilder, sql } from 'kysely'

/** The alias of the login that did what a row of `notices` reports; null if it was nobody with a login. */
export const actorAlias = aliasIn('actor')

/** The name of what was changed: as it was recorded, or the alias of a login. */
export const changedName: RawBuilder<string | null> = sql`CASE
  WHEN notices.kind = 'account_changed' THEN coalesce(notices.detail ->> 'name', ${aliasIn('about')}) END`

function aliasIn(field: 'actor' | 'about'): RawBuilder<string | null> {
  const login = sql`notices.detail ->> ${sql.lit(field)}`
  return sql`(SELECT alias FROM logins WHERE ${login} LIKE 'login:%' AND logins.id = substr(${login}, 7)::integer)`
}
