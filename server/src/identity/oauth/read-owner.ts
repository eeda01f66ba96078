import type { Database } from '../../db/database.ts'
import type { Caller } from '../../model/caller.ts'

/** Returns the login that authorized an app, with the account of the authorization. */
export async function readOwner(
  db: Database,
  { accountId, loginId = 0 }: Caller,
): Promise<{ accountId: number; alias: string; email: string | null; accountName: string }> {
  return db
    .selectFrom('logins')
    .innerJoin('memberships', 'memberships.loginId', 'logins.id')
    .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
    .select(['memberships.accountId', 'logins.alias', 'logins.email', 'accounts.name as accountName'])
    .where('logins.id', '=', loginId)
    .where('memberships.accountId', '=', accountId)
    .executeTakeFirstOrThrow()
}
