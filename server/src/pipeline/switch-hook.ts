/**
 * A hook's owner disables and enables it. Disabled, it holds what it would have received; enabled, its owner has chosen
 * whether that is delivered or dropped. The choice to deliver is a job in the same commit, so it outlives this process.
 */
import type { Actor } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import { createHook } from '../hooks/create-hook.ts'
import type { HookRules } from '../hooks/judge-hook.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import type { HookDefinition } from '../model/hook.ts'
import { untilNone } from '../ops/until-none.ts'
import type { Vault } from '../vault/vault.ts'
import { createReplay, lockHeldReplay, type Replay, saveReplay } from './replays/replay-store.ts'
import { dropHeld } from './work/finish.ts'
import { countWork } from './work/held.ts'
import { forgetFailures } from './work/hook-failures.ts'
import { unpark } from './work/replayed.ts'

interface HookOfOwner {
  accountId: number
  hookId: number
  actor: Actor
}

/** What was held waited longest: it is delivered faster than what is sent again. */
const heldPerSecond = 200

/** Answers how many waiting deliveries are held from now on. */
export async function disableHook(db: Database, { accountId, hookId, actor }: HookOfOwner): Promise<number> {
  let waiting = 0
  const change = { enabled: false, reason: 'owner' } as const
  await setHookEnabled(db, actor, accountId, hookId, change, async (trx) => {
    waiting = await countWork(trx, accountId, hookId, 'waiting')
  })
  return waiting
}

/** Of a hook that is enabled already it goes on with what is left. */
export async function enableHook(
  db: Database,
  owner: HookOfOwner,
  choice: 'deliver' | 'drop',
  limits?: ChangeLimits,
): Promise<Dealt> {
  const { accountId, hookId, actor } = owner
  let dealt: Dealt = { held: 0, replayId: null }
  const deal = async (trx: Trx, isEnabling: boolean): Promise<void> => {
    dealt = await dealWithHeld(trx, owner, { choice, isEnabling })
  }
  const enabling = (trx: Trx): Promise<void> => deal(trx, true)
  const wasDisabled = await setHookEnabled(db, actor, accountId, hookId, { enabled: true }, enabling, limits)
  if (!wasDisabled) await db.transaction().execute((trx) => deal(trx, false))
  if (choice === 'drop') await untilNone(() => dropHeld(db, accountId, hookId))
  return dealt
}

/** Registering a hook again that is disabled enables it, which is to have delivered what it holds. */
export function registerHook(
  { db, vault, rules }: { db: Database; vault: Vault; rules: HookRules },
  { accountId, actor }: Omit<HookOfOwner, 'hookId'>,
  given: HookDefinition,
): Promise<number> {
  return createHook(db, vault, rules, accountId, actor, given, async (trx, hookId) => {
    await dealWithHeld(trx, { accountId, hookId, actor }, { choice: 'deliver', isEnabling: true })
  })
}

interface Dealt {
  held: number
  replayId: number | null
}

/** What belongs to the commit that enables a hook: what becomes of what it holds, and that its failures count no more. */
async function dealWithHeld(
  trx: Trx,
  owner: HookOfOwner,
  { choice, isEnabling }: { choice: 'deliver' | 'drop'; isEnabling: boolean },
): Promise<Dealt> {
  const { accountId, hookId } = owner
  // Locked before the hook is, as its own steps do it.
  const known = await lockHeldReplay(trx, accountId, hookId)
  const held = await countWork(trx, accountId, hookId, 'held')
  const replayId = choice === 'deliver' ? await deliverHeld(trx, owner, { known, held, isEnabling }) : null
  await forgetFailures(trx, owner)
  return { held, replayId }
}

/**
 * One job at a time, so that its pace is kept however often it is asked for; one that was paused goes on. A hook that is
 * enabled just now gets one in any case: what was under way meanwhile may come to be held a moment after.
 */
async function deliverHeld(
  trx: Trx,
  { accountId, hookId, actor }: HookOfOwner,
  { known, held, isEnabling }: { known: Replay | undefined; held: number; isEnabling: boolean },
): Promise<number | null> {
  if (known !== undefined) {
    if (known.state === 'paused') await unpark(trx, known)
    await saveReplay(trx, known, { state: 'running', isRead: false, total: known.started + held }, 0)
    return known.id
  }
  if (held === 0 && !isEnabling) return null
  const selection = { kind: 'held', hook_id: hookId } as const
  const wanted = { accountId, actor, selection, mostPerSecond: heldPerSecond, total: held }
  const { id } = await createReplay(trx, wanted)
  return held === 0 ? null : id
}
