import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

interface LoginOverview {
  id: number
  alias: string
  email: string | null
  hasSecondFactor: boolean
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
      sql<boolean>`totp_confirmed_at IS NOT NULL`.as('hasSecondFactor'),
      sql<number>`(SELECT count(*)::integer FROM recovery_codes WHERE login_id = logins.id)`.as(
        'recoveryCodesLeft',
      ),
    ])
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
}
