/**
 * Disables and enables hooks for an account. A disabled hook holds its deliveries. When it is enabled, the account
 * chooses to deliver or discard them. Delivery is a job in the same commit, so it outlives this process.
 */
import type { Actor } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import { createHook } from '../hooks/create-hook.ts'
import type { HookLimits } from '../hooks/validate-hook.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import type { HookDefinition } from '../model/hook.ts'
import { drain } from '../runtime/drain.ts'
import type { Vault } from '../vault/vault.ts'
import { createReplay, lockHeldReplay, type Replay, saveReplay } from './replay-store.ts'
import { discardHeld } from '../delivery/queue/finish.ts'
import { countWork } from '../delivery/queue/held.ts'
import { resetFailures } from '../delivery/queue/failure-streaks.ts'
import { resumeRounds } from '../delivery/queue/replay-rounds.ts'

interface HookChange {
  accountId: number
  hookId: number
  actor: Actor
}

/** Held deliveries have waited longest: they are faster than other replays. */
const heldPerSecond = 200

/** Returns the number of deliveries put on hold. */
export async function disableHook(db: Database, { accountId, hookId, actor }: HookChange): Promise<number> {
  let pending = 0
  const change = { enabled: false, reason: 'owner' } as const
  await setHookEnabled(db, actor, accountId, hookId, change, async (trx) => {
    pending = await countWork(trx, accountId, hookId, 'waiting')
  })
  return pending
}

/**
 * Enables a hook and resolves its held deliveries. If the hook is already enabled, continues with the remaining ones.
 */
export async function enableHook(
  db: Database,
  hook: HookChange,
  choice: 'deliver' | 'drop',
  limits?: ChangeLimits,
): Promise<HeldResult> {
  const { accountId, hookId, actor } = hook
  let result: HeldResult = { held: 0, replayId: null }
  const resolve = async (trx: Trx, isEnabling: boolean): Promise<void> => {
    result = await resolveHeld(trx, hook, { choice, isEnabling })
  }
  const enabling = (trx: Trx): Promise<void> => resolve(trx, true)
  const wasDisabled = await setHookEnabled(db, actor, accountId, hookId, { enabled: true }, enabling, limits)
  if (!wasDisabled) await db.transaction().execute((trx) => resolve(trx, false))
  if (choice === 'drop') await drain(() => discardHeld(db, accountId, hookId))
  return result
}

/** Creates a hook. If it exists and is disabled, enables it and delivers its held deliveries. */
export function registerHook(
  { db, vault, rules }: { db: Database; vault: Vault; rules: HookLimits },
  { accountId, actor }: Omit<HookChange, 'hookId'>,
  input: HookDefinition,
): Promise<number> {
  return createHook(db, vault, rules, accountId, actor, input, async (trx, hookId) => {
    await resolveHeld(trx, { accountId, hookId, actor }, { choice: 'deliver', isEnabling: true })
  })
}

interface HeldResult {
  held: number
  replayId: number | null
}

/** Part of the commit that enables a hook: resolves its held deliveries and resets its failures. */
async function resolveHeld(
  trx: Trx,
  hook: HookChange,
  { choice, isEnabling }: { choice: 'deliver' | 'drop'; isEnabling: boolean },
): Promise<HeldResult> {
  const { accountId, hookId } = hook
  // Locked before the hook, as the steps of the job do.
  const existing = await lockHeldReplay(trx, accountId, hookId)
  const held = await countWork(trx, accountId, hookId, 'held')
  const replayId = choice === 'deliver' ? await replayHeld(trx, hook, { existing, held, isEnabling }) : null
  await resetFailures(trx, hook)
  return { held, replayId }
}

/**
 * Starts or resumes the job for held deliveries: one per hook, so its rate limit holds. A hook that was just enabled
 * gets a job in any case: attempts in flight may put deliveries on hold a moment later.
 */
async function replayHeld(
  trx: Trx,
  { accountId, hookId, actor }: HookChange,
  { existing, held, isEnabling }: { existing: Replay | undefined; held: number; isEnabling: boolean },
): Promise<number | null> {
  if (existing !== undefined) {
    if (existing.state === 'paused') await resumeRounds(trx, existing)
    await saveReplay(trx, existing, { state: 'running', isRead: false, total: existing.started + held }, 0)
    return existing.id
  }
  if (held === 0 && !isEnabling) return null
  const selection = { kind: 'held', hook_id: hookId } as const
  const requested = { accountId, actor, selection, maxPerSecond: heldPerSecond, total: held }
  const { id } = await createReplay(trx, requested)
  return held === 0 ? null : id
}
