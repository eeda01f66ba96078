import type { Database } from '../../db/database.ts'
import type { Caller } from '../../model/caller.ts'

/** Returns the login that authorized an app, with its account. */
export async function readOwner(
  db: Database,
  { loginId = 0 }: Caller,
): Promise<{ accountId: number; alias: string; email: string | null; accountName: string }> {
  return db
    .selectFrom('logins')
    .innerJoin('accounts', 'accounts.id', 'logins.accountId')
    .select(['logins.accountId', 'logins.alias', 'logins.email', 'accounts.name as accountName'])
    .where('logins.id', '=', loginId)
    .executeTakeFirstOrThrow()
}
