import type { Actor } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database } from '../db/database.ts'
import type { HookTexts } from '../model/hook.ts'
import { changeHooks } from './change-hooks.ts'
import { hookColumns } from './hook-record.ts'

/**
 * Sets name or description of a hook. Returns false if the hook does not exist. The other values are not validated: a
 * hook can be renamed even if a rule of this installation now rejects its URL.
 */
export function setHookTexts(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  texts: Partial<HookTexts>,
  limits?: ChangeLimits,
): Promise<boolean> {
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx, append }) => {
      const changed = await trx
        .updateTable('hooks')
        .set(texts)
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .returning(hookColumns)
        .executeTakeFirst()
      if (changed === undefined) return false
      await append('changed', changed)
      return true
    },
    limits,
  )
}
