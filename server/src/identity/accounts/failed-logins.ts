import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'

/**
 * A wrong password or code, in the audit log of whom it was meant for: at most one entry a minute for a login, so that a
 * guesser cannot fill the log. A login that does not exist takes the same statement.
 */
export async function recordFailedLogin(
  db: Database,
  loginId: number | undefined,
  ip: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const noted = await trx
      .updateTable('logins')
      .set({ failureAuditedAt: sql<Date>`now()` })
      .where('id', '=', loginId ?? 0)
      .where(sql<boolean>`coalesce(failure_audited_at < now() - interval '1 minute', true)`)
      .returning(['id', 'accountId'])
      .executeTakeFirst()
    if (noted === undefined) return
    await recordAudit(trx, {
      accountId: noted.accountId,
      actor: 'visitor',
      action: 'session.fail',
      subject: `login:${noted.id}`,
      detail: { ip },
    })
  })
}
