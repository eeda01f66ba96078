import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { changeHooks } from './change-hooks.ts'
import { hookColumns } from './hook-record.ts'

/** Enables or disables a hook, with what belongs to it in the same commit. False: there is no such hook, or it already is so. */
export function setHookEnabled(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  change: { enabled: true } | { enabled: false; reason: string },
  alongside: (trx: Trx) => Promise<void> = async () => {},
): Promise<boolean> {
  return changeHooks(db, accountId, actor, async ({ trx, append }) => {
    const changed = await trx
      .updateTable('hooks')
      .set({ enabled: change.enabled, disabledReason: change.enabled ? null : change.reason })
      .where('accountId', '=', accountId)
      .where('id', '=', hookId)
      .where('enabled', '=', !change.enabled)
      .returning(hookColumns)
      .executeTakeFirst()
    if (changed === undefined) return false
    await append(change.enabled ? 'enabled' : 'disabled', changed)
    await alongside(trx)
    return true
  })
}
