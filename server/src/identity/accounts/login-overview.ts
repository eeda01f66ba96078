import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { hasSecondFactor } from '../../db/second-factor.ts'

interface LoginOverview {
  id: number
  alias: string
  email: string | null
  hasSecondFactor: boolean
  hasApp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

/** Returns a login for the dashboard. */
export function loginOverview(db: Database, loginId: number): Promise<LoginOverview> {
  return db
    .selectFrom('logins')
    .select([
      'id',
      'alias',
      'email',
      hasSecondFactor.as('hasSecondFactor'),
      sql<boolean>`totp_confirmed_at IS NOT NULL`.as('hasApp'),
      sql<number>`(SELECT count(*)::integer FROM passkeys WHERE login_id = logins.id)`.as('passkeys'),
      sql<number>`(SELECT count(*)::integer FROM recovery_codes WHERE login_id = logins.id)`.as(
        'recoveryCodesLeft',
      ),
    ])
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
}
