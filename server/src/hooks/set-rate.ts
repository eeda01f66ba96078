import { type Actor, recordAudit } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { changeHooks } from './change-hooks.ts'

/** How many deliveries a second a hook gets at most; null: no limit. False: there is no such hook. */
export function setHookRate(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  mostPerSecond: number | null,
): Promise<boolean> {
  return changeHooks(db, accountId, actor, async ({ trx }) => {
    const changed = await trx
      .updateTable('hooks')
      .set({ mostPerSecond })
      .where('accountId', '=', accountId)
      .where('id', '=', hookId)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return false
    const detail = { most_per_second: mostPerSecond }
    await recordAudit(trx, { accountId, actor, action: 'hook.rate', subject: `hook:${hookId}`, detail })
    return true
  })
}
