/** Actions on replays. Each is one commit with the job's row locked, so no step runs concurrently. */
import type { Actor } from '../db/audit.ts'
import { recordAudit } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { beginLedgerWrite } from '../db/ledger-write.ts'
import { ApiError } from '../model/errors.ts'
import {
  createReplay,
  lockReplay,
  rejectTooMany,
  type Replay,
  saveReplay,
  type Selection,
} from './replay-store.ts'
import { cancelRounds, returnToHeld, suspendRounds, resumeRounds } from '../delivery/queue/replay-rounds.ts'

interface ActorOfAccount {
  accountId: number
  actor: Actor
}

export function startReplay(
  db: Database,
  { accountId, actor }: ActorOfAccount,
  selection: Exclude<Selection, { kind: 'held' }>,
  maxPerSecond: number,
): Promise<Replay> {
  return db.transaction().execute(async (trx) => {
    await rejectTooMany(trx, accountId)
    const total = selection.kind === 'deliveries' ? selection.deliveries.length : 0
    const replay = await createReplay(trx, { accountId, actor, selection, maxPerSecond, total })
    await recordAudit(trx, { accountId, actor, action: 'replay.start', subject: `replay:${replay.id}` })
    return replay
  })
}

export function pauseReplay(db: Database, by: ActorOfAccount, id: number): Promise<Replay> {
  return change(db, by, id, 'pause', async (trx, replay) => {
    await suspendRounds(trx, replay)
    return saveReplay(trx, replay, { state: 'paused', waiting: [], perSecond: null }, 0)
  })
}

export function resumeReplay(db: Database, by: ActorOfAccount, id: number): Promise<Replay> {
  return change(db, by, id, 'resume', async (trx, replay) => {
    if (replay.state !== 'paused') return replay
    await resumeRounds(trx, replay)
    // The rate is measured anew.
    const state = replay.isCounted ? 'running' : 'counting'
    return saveReplay(trx, replay, { state, perSecond: null, countedAt: null }, 0)
  })
}

export function cancelReplay(db: Database, by: ActorOfAccount, id: number): Promise<Replay> {
  return change(db, by, id, 'cancel', async (trx, replay) => {
    if (replay.selection.kind === 'held') await returnToHeld(trx, replay)
    else await cancelRounds(trx, replay)
    return saveReplay(trx, replay, { state: 'cancelled', waiting: [], perSecond: null }, 0)
  })
}

function change(
  db: Database,
  { accountId, actor }: ActorOfAccount,
  id: number,
  action: 'pause' | 'resume' | 'cancel',
  apply: (trx: Trx, replay: Replay) => Promise<Replay>,
): Promise<Replay> {
  return db.transaction().execute(async (trx) => {
    await beginLedgerWrite(trx)
    const replay = await lockReplay(trx, accountId, id)
    if (replay.state === 'done' || replay.state === 'cancelled')
      throw new ApiError(
        'replayFinished',
        `Replay ${id} is already ${replay.state === 'done' ? 'finished' : 'canceled'}.`,
      )
    const changed = await apply(trx, replay)
    await recordAudit(trx, { accountId, actor, action: `replay.${action}`, subject: `replay:${id}` })
    return changed
  })
}
