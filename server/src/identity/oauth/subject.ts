/**
 * The subject of grants: a login in an account. In the account that it was created in, a login has its bare id, as in the
 * grants of versions in which a login had one account.
 */
import type { Database } from '../../db/database.ts'

interface Subject {
  loginId: number
  /** Undefined for the account that the login was created in. */
  accountId: number | undefined
}

export async function subjectOf(
  db: Database,
  { loginId, accountId }: { loginId: number; accountId: number },
): Promise<string> {
  const home = await db
    .selectFrom('logins')
    .select('id')
    .where('id', '=', loginId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return home === undefined ? `${loginId}:${accountId}` : String(loginId)
}

export function parseSubject(subject: string): Subject {
  const [loginId, accountId] = subject.split(':')
  return { loginId: Number(loginId), accountId: accountId === undefined ? undefined : Number(accountId) }
}
