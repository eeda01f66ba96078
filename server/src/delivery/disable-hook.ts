import type { Database } from '../db/database.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import { type FailingHook, removeFailures } from './queue/failure-streaks.ts'
import { recordDisabled } from './queue/failure-warnings.ts'

/**
 * Disables a hook that fails or is gone. The change, its warning and its notice are one commit, so no hook is disabled
 * without a notice.
 */
export async function disableHook(
  db: Database,
  hook: FailingHook,
  reason: 'failing' | 'gone',
): Promise<void> {
  const { accountId, hookId } = hook
  const isDisabled = await setHookEnabled(
    db,
    'service',
    accountId,
    hookId,
    { enabled: false, reason },
    (trx) => recordDisabled(trx, hook, reason === 'gone' ? 'gone' : 'disabled'),
  )
  // Deleted or disabled meanwhile: without counts, the hook is not selected again.
  if (!isDisabled) await removeFailures(db, [hook])
}
