import type { Actor } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import type { DisabledReason } from '../model/hook-state.ts'
import { changeHooks, type HookChange } from './change-hooks.ts'
import { hookColumns, type HookRecord } from './hook-record.ts'

/**
 * Enables or disables a hook. Runs `alongside` in the same commit, before the hook's row is locked. Returns false if
 * the hook does not exist or is already in that state.
 */
export function setHookEnabled(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  change: Switch,
  alongside: (trx: Trx) => Promise<void> = async () => {},
  limits?: ChangeLimits,
): Promise<boolean> {
  return changeHooks(
    db,
    accountId,
    actor,
    async (step) => {
      const hook = await step.trx
        .selectFrom('hooks')
        .select(hookColumns)
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .where('enabled', '=', !change.enabled)
        .executeTakeFirst()
      if (hook === undefined) return false
      await alongside(step.trx)
      await switchHook(step, accountId, hook, change)
      return true
    },
    limits,
  )
}

type Switch = { enabled: true } | { enabled: false; reason: DisabledReason }

export async function switchHook(
  { trx, append }: HookChange,
  accountId: number,
  hook: HookRecord,
  change: Switch,
): Promise<void> {
  await trx
    .updateTable('hooks')
    .set({ enabled: change.enabled, disabledReason: change.enabled ? null : change.reason })
    .where('accountId', '=', accountId)
    .where('id', '=', hook.id)
    .execute()
  await append(change.enabled ? { kind: 'enabled' } : { kind: 'disabled', reason: change.reason }, {
    ...hook,
    enabled: change.enabled,
  })
}
