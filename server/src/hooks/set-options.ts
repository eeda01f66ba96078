import type { Actor } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database } from '../db/database.ts'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import type { HookTexts } from '../model/hook.ts'
import { changeHooks } from './change-hooks.ts'
import { changedFields } from './hook-fields.ts'
import { hookColumns } from './hook-record.ts'

type HookOptions = DeliveryOptions & HookTexts & { maxPerSecond: number | null }

/**
 * Sets delivery options, the rate limit, name or description of a hook. Returns false if the hook does not exist. The
 * other values are not validated: a hook can be renamed even if a rule of this installation now rejects its URL.
 */
export function setHookOptions(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  options: Partial<HookOptions>,
  limits?: ChangeLimits,
): Promise<boolean> {
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx, append }) => {
      const record = await trx
        .selectFrom('hooks')
        .select(hookColumns)
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .executeTakeFirst()
      if (record === undefined) return false
      const changed = await trx
        .updateTable('hooks')
        .set(options)
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .returning(hookColumns)
        .executeTakeFirstOrThrow()
      await append({ kind: 'changed', fields: changedFields(record, changed, false) }, changed)
      return true
    },
    limits,
  )
}
