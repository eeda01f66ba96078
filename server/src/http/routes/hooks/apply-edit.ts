import { resetFailures } from '../../../delivery/queue/failure-streaks.ts'
import { retryAtNewUrl } from '../../../delivery/queue/retry-now.ts'
import { editHook, type HookEdit } from '../../../hooks/edit-hook.ts'
import type { Caller } from '../../../model/caller.ts'
import { actorOf } from '../../auth/actor.ts'
import type { ApiDeps } from '../../operation/operation.ts'

/** Edits a webhook and tells workers. With a new URL, pending deliveries are attempted at once. */
export async function applyEdit(
  { db, vault, hookLimits, onHooksChanged }: ApiDeps,
  caller: Caller,
  hookId: number,
  edit: HookEdit,
): Promise<void> {
  const { accountId } = caller
  const { hasMoved } = await editHook(db, vault, hookLimits, accountId, actorOf(caller), hookId, edit)
  onHooksChanged(accountId)
  if (!hasMoved) return
  // Earlier failures belong to the previous receiver.
  await resetFailures(db, { accountId, hookId })
  await retryAtNewUrl(db, { accountId, hookId })
}
