/** Authorizations of an account, one per app, merged from all its grants. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isScope, type Scope } from '../../model/caller.ts'

export interface Authorization {
  appId: string
  appName: string
  publisher: string
  redirectUris: string[]
  scopes: Scope[]
  /** Alias of the login of the newest grant. */
  grantedBy: string
  grantedAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

interface GrantRow extends Omit<Authorization, 'scopes'> {
  scopes: string[]
}

export async function listAuthorizations(db: Database, accountId: number): Promise<Authorization[]> {
  const rows: GrantRow[] = await db
    .selectFrom('grants')
    .innerJoin('apps', 'apps.id', 'grants.appId')
    .innerJoin('accounts', 'accounts.id', 'apps.accountId')
    .innerJoin('logins', 'logins.id', 'grants.loginId')
    .select([
      'apps.id as appId',
      'apps.name as appName',
      'accounts.name as publisher',
      'apps.redirectUris',
      'grants.scopes',
      'logins.alias as grantedBy',
      'grants.grantedAt',
      'grants.expiresAt',
      'grants.lastUsedAt',
    ])
    .where('grants.accountId', '=', accountId)
    .where('grants.expiresAt', '>', sql<Date>`now()`)
    .orderBy('grants.grantedAt', 'desc')
    .execute()
  return [...Map.groupBy(rows, (row) => row.appId).values()].map(merge)
}

export async function isAuthorized(db: Database, accountId: number, appId: string): Promise<boolean> {
  const found = await db
    .selectFrom('grants')
    .select('digest')
    .where('accountId', '=', accountId)
    .where('appId', '=', appId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Merges the grants of an app, newest first. Scopes are combined, and the latest times are used. */
function merge(rows: GrantRow[]): Authorization {
  const [newest] = rows
  if (newest === undefined) throw new Error('empty group of grants')
  const uses = rows.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
  return {
    ...newest,
    scopes: [...new Set(rows.flatMap((row) => row.scopes.filter(isScope)))],
    expiresAt: latest(rows.map((row) => row.expiresAt)) ?? newest.expiresAt,
    lastUsedAt: latest(uses),
  }
}

function latest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((last, time) => (last === null || time > last ? time : last), null)
}
