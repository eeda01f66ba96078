import type { Actor } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import type { HookDefinition, HookTexts, HookTypes } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { findByFingerprint, hookExists } from './create-hook.ts'
import { changedFields } from './hook-fields.ts'
import { deleteProblem } from './hook-problems.ts'
import { fingerprint, hookColumns, readHeaders, sealHeaders, toHook, typeColumns } from './hook-record.ts'
import { type HookLimits, validateHook } from './validate-hook.ts'
import { hookNotFound } from './read-hook.ts'
import { setHookOptions } from './set-options.ts'
import { currentVersion } from './version-history.ts'

/** Fields to change. All others stay. */
export interface HookEdit extends Partial<HookDefinition> {
  texts?: Partial<HookTexts>
  maxPerSecond?: number | null
  options?: Partial<DeliveryOptions>
  /** Returns type and filter, which can depend on the current ones. */
  readTypes?: ((current: HookTypes) => Partial<HookTypes>) | undefined
  /** Rejects the edit if the hook has another version. */
  expectedVersion?: number | undefined
  /** The earlier version that the edit restores, for the audit log. */
  restoredVersion?: number
}

/** Returns whether the URL of the hook has changed. Pending deliveries are sent to the new URL. */
export async function editHook(
  db: Database,
  vault: Vault,
  rules: HookLimits,
  accountId: number,
  actor: Actor,
  hookId: number,
  { texts = {}, maxPerSecond, options = {}, readTypes, expectedVersion, restoredVersion, ...edit }: HookEdit,
): Promise<{ hasMoved: boolean }> {
  const isOnlyTexts =
    Object.keys({ ...edit, ...options }).length === 0 && maxPerSecond === undefined && readTypes === undefined
  if (isOnlyTexts && Object.keys(texts).length > 0) {
    if (!(await setHookOptions(db, actor, accountId, hookId, texts, rules.changes)))
      throw hookNotFound(hookId)
    return { hasMoved: false }
  }
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx, append }) => {
      const record = await trx
        .selectFrom('hooks')
        .select([...hookColumns, 'callUrl'])
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .executeTakeFirst()
      if (record === undefined) throw hookNotFound(hookId)
      if (expectedVersion !== undefined && (await currentVersion(trx, accountId, hookId)) !== expectedVersion)
        throw new ApiError(
          'hookChanged',
          `Webhook ${hookId} was changed meanwhile. Review its current settings and try again.`,
        )
      // Saving would lose the unreadable headers, and the receiver would get requests without its credential.
      if (edit.headers === undefined && readHeaders(record.headers, accountId, vault) === undefined)
        throw new ApiError(
          'invalidHeaders',
          'The headers of this webhook cannot be decrypted. Send "headers" again, or null for none.',
        )
      const { targetUrl, eventType, requestMethod, eventFilter, headers } = toHook(record, accountId, vault)
      const current = { targetUrl, eventType, requestMethod, eventFilter, headers }
      const requested = validateHook(rules, accountId, { ...current, ...edit, ...readTypes?.(current) })
      const print = fingerprint(requested, vault)
      const duplicate = await findByFingerprint(trx, accountId, print)
      if (duplicate !== undefined && duplicate.id !== hookId) throw hookExists(duplicate)

      const changed = await trx
        .updateTable('hooks')
        .set({
          ...requested,
          ...typeColumns(requested.eventType),
          headers: sealHeaders(requested.headers, accountId, vault),
          fingerprint: print,
          ...(maxPerSecond !== undefined && { maxPerSecond }),
          ...texts,
          ...options,
        })
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .returning(hookColumns)
        .executeTakeFirstOrThrow()
      const fields = changedFields(record, changed, current.headers !== requested.headers)
      await append({ kind: 'changed', fields, restoredVersion }, changed)
      // The saved values passed all checks of this version. A worker that cannot load the hook reports it again.
      await deleteProblem(trx, accountId, hookId)
      return { hasMoved: requested.callUrl !== record.callUrl }
    },
    rules.changes,
  )
}
