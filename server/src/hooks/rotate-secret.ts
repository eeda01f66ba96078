import { sql } from 'kysely'
import { type Actor, recordAudit } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database } from '../db/database.ts'
import { changeHooks } from './change-hooks.ts'
import { hookNotFound } from './read-hook.ts'

/** Creates a new secret. For 24 hours deliveries are also signed with the previous one. */
export function rotateSecret(
  db: Database,
  accountId: number,
  actor: Actor,
  hookId: number,
  limits: ChangeLimits,
): Promise<void> {
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx }) => {
      const rotated = await trx
        .updateTable('hooks')
        .set({ secretGeneration: sql`secret_generation + 1`, secretRotatedAt: sql<Date>`now()` })
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .returning('id')
        .executeTakeFirst()
      if (rotated === undefined) throw hookNotFound(hookId)
      await recordAudit(trx, { accountId, actor, action: 'hook.secret.rotate', subject: `hook:${hookId}` })
    },
    limits,
  )
}
