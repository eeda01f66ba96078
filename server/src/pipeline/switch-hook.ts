/**
 * A hook's owner disables and enables it. Disabled, it holds what it would have received; enabled, its owner has chosen
 * whether that is delivered or dropped. The choice to deliver is a job in the same commit, so it outlives this process.
 */
import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import { untilNone } from '../ops/until-none.ts'
import { createReplay } from './replays/replay-store.ts'
import { dropHeld } from './work/finish.ts'
import { countWork } from './work/held.ts'
import { forgetFailures } from './work/hook-failures.ts'

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
  { accountId, hookId, actor }: HookOfOwner,
  choice: 'deliver' | 'drop',
): Promise<{ held: number; replayId: number | null }> {
  const answer = { held: 0, replayId: null as number | null }
  const deal = async (trx: Trx): Promise<void> => {
    answer.held = await countWork(trx, accountId, hookId, 'held')
    if (choice === 'drop' || answer.held === 0) return
    const selection = { kind: 'held', hook_id: hookId } as const
    const wanted = { accountId, actor, selection, mostPerSecond: heldPerSecond, total: answer.held }
    answer.replayId = (await createReplay(trx, wanted)).id
  }
  const isEnabling = await setHookEnabled(db, actor, accountId, hookId, { enabled: true }, deal)
  if (!isEnabling) await db.transaction().execute(deal)
  await forgetFailures(db, { accountId, hookId })
  if (choice === 'drop') await untilNone(() => dropHeld(db, accountId, hookId))
  return answer
}
