import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { accountOf } from './logins.ts'

/**
 * Records a wrong password or code in the audit log, at most once per minute and login, so that attackers cannot fill the
 * log. Unknown logins run the same statement, which keeps the timing equal.
 */
export async function recordFailedLogin(
  db: Database,
  loginId: number | undefined,
  ip: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const login = await trx
      .updateTable('logins')
      .set({ failureAuditedAt: sql<Date>`now()` })
      .where('id', '=', loginId ?? 0)
      .where(sql<boolean>`coalesce(failure_audited_at < now() - interval '1 minute', true)`)
      .returning(['id', 'accountId'])
      .executeTakeFirst()
    if (login === undefined) return
    await recordAudit(trx, {
      ...accountOf(login),
      actor: 'visitor',
      action: 'session.fail',
      subject: `login:${login.id}`,
      detail: { ip },
    })
  })
}
