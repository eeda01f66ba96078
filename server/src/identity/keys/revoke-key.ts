import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'

/**
 * Revokes a key permanently. Returns false if it does not exist or was already revoked. Operators omit the account.
 */
export async function revokeKey(
  db: Database,
  actor: Actor,
  keyId: number,
  ofAccount?: number,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const revoked = await trx
      .updateTable('keys')
      .set({ revokedAt: sql<Date>`now()` })
      .where('id', '=', keyId)
      .where('revokedAt', 'is', null)
      .$if(ofAccount !== undefined, (query) => query.where('accountId', '=', ofAccount ?? 0))
      .returning('accountId')
      .executeTakeFirst()
    if (revoked === undefined) return false
    await recordAudit(trx, {
      accountId: revoked.accountId,
      actor,
      action: 'key.revoke',
      subject: `key:${keyId}`,
    })
    return true
  })
}

/** Revokes every key of an account that is not revoked yet. */
export async function revokeAllKeys(trx: Trx, actor: Actor, accountId: number): Promise<void> {
  const revoked = await trx
    .updateTable('keys')
    .set({ revokedAt: sql<Date>`now()` })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of revoked)
    await recordAudit(trx, { accountId, actor, action: 'key.revoke', subject: `key:${id}` })
}
