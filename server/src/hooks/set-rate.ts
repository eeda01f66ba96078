import { type Actor, recordAudit } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { changeHooks } from './change-hooks.ts'

/** Sets the rate limit of a hook in deliveries per second; null: no limit. Returns false if the hook does not exist. */
export function setHookRate(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  maxPerSecond: number | null,
): Promise<boolean> {
  return changeHooks(db, accountId, actor, async ({ trx }) => {
    const changed = await trx
      .updateTable('hooks')
      .set({ maxPerSecond })
      .where('accountId', '=', accountId)
      .where('id', '=', hookId)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return false
    const detail = { max_per_second: maxPerSecond }
    await recordAudit(trx, { accountId, actor, action: 'hook.rate', subject: `hook:${hookId}`, detail })
    return true
  })
}
