import { type Actor, recordAudit } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import { changeHooks } from './change-hooks.ts'
import { hookColumns, type HookRecord } from './hook-record.ts'

/** Sets delivery options of a hook and keeps the others. Returns false if the hook does not exist. */
export function setHookOptions(
  db: Database,
  actor: Actor,
  accountId: number,
  hookId: number,
  options: Partial<DeliveryOptions>,
): Promise<boolean> {
  return changeHooks(db, accountId, actor, async ({ trx, append }) => {
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
    await append('changed', changed)
    await recordOptions(trx, actor, accountId, record, changed)
    return true
  })
}

/** Records the options that differ, in one audit entry. */
export async function recordOptions(
  trx: Trx,
  actor: Actor,
  accountId: number,
  before: HookRecord,
  after: HookRecord,
): Promise<void> {
  const detail = {
    ...(after.formFields !== before.formFields && { form_fields: after.formFields }),
    ...(after.retryPolicy !== before.retryPolicy && { retry_policy: after.retryPolicy }),
    ...(after.acceptHeader !== before.acceptHeader && { accept_header: after.acceptHeader }),
    ...(after.signatureUrl !== before.signatureUrl && { signature_url: after.signatureUrl }),
  }
  if (Object.keys(detail).length === 0) return
  await recordAudit(trx, { accountId, actor, action: 'hook.options', subject: `hook:${after.id}`, detail })
}
