import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

interface LoginOverview {
  login: {
    id: number
    alias: string
    email: string | null
    hasSecondFactor: boolean
    recoveryCodesLeft: number
  }
  account: { id: number; name: string; createdAt: Date }
}

/** Returns a login and its account for the dashboard. */
export async function loginOverview(db: Database, loginId: number): Promise<LoginOverview> {
  const found = await db
    .selectFrom('logins')
    .innerJoin('accounts', 'accounts.id', 'logins.accountId')
    .select([
      'logins.id',
      'logins.alias',
      'logins.email',
      'accounts.id as accountId',
      'accounts.name',
      'accounts.createdAt',
      sql<boolean>`logins.totp_confirmed_at IS NOT NULL`.as('hasSecondFactor'),
      sql<number>`(SELECT count(*)::integer FROM recovery_codes WHERE login_id = logins.id)`.as('codesLeft'),
    ])
    .where('logins.id', '=', loginId)
    .executeTakeFirstOrThrow()
  const { accountId, name, createdAt, codesLeft, ...login } = found
  return { login: { ...login, recoveryCodesLeft: codesLeft }, account: { id: accountId, name, createdAt } }
}
