/** What the owner of a replay does with it: each in one commit with the job's row locked, so no step runs beside it. */
import type { Actor } from '../db/audit.ts'
import { recordAudit } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { beginLedgerWrite } from '../db/ledger-write.ts'
import { Refusal } from '../model/errors.ts'
import {
  createReplay,
  lockReplay,
  refuseTooMany,
  type Replay,
  saveReplay,
  type Selection,
} from './replays/replay-store.ts'
import { cancelRounds, holdAgain, park, unpark } from './work/replayed.ts'

interface Who {
  accountId: number
  actor: Actor
}

export function startReplay(
  db: Database,
  { accountId, actor }: Who,
  selection: Exclude<Selection, { kind: 'held' }>,
  mostPerSecond: number,
): Promise<Replay> {
  return db.transaction().execute(async (trx) => {
    await refuseTooMany(trx, accountId)
    const total = selection.kind === 'deliveries' ? selection.deliveries.length : 0
    const replay = await createReplay(trx, { accountId, actor, selection, mostPerSecond, total })
    await recordAudit(trx, { accountId, actor, action: 'replay.start', subject: `replay:${replay.id}` })
    return replay
  })
}

export function pauseReplay(db: Database, who: Who, id: number): Promise<Replay> {
  return change(db, who, id, 'pause', async (trx, replay) => {
    await park(trx, replay)
    return saveReplay(trx, replay, { state: 'paused' }, 0)
  })
}

export function resumeReplay(db: Database, who: Who, id: number): Promise<Replay> {
  return change(db, who, id, 'resume', async (trx, replay) => {
    if (replay.state !== 'paused') return replay
    await unpark(trx, replay)
    return saveReplay(trx, replay, { state: replay.isCounted ? 'running' : 'counting' }, 0)
  })
}

export function cancelReplay(db: Database, who: Who, id: number): Promise<Replay> {
  return change(db, who, id, 'cancel', async (trx, replay) => {
    if (replay.selection.kind === 'held') await holdAgain(trx, replay)
    else await cancelRounds(trx, replay)
    return saveReplay(trx, replay, { state: 'cancelled' }, 0)
  })
}

function change(
  db: Database,
  { accountId, actor }: Who,
  id: number,
  act: 'pause' | 'resume' | 'cancel',
  apply: (trx: Trx, replay: Replay) => Promise<Replay>,
): Promise<Replay> {
  return db.transaction().execute(async (trx) => {
    await beginLedgerWrite(trx)
    const replay = await lockReplay(trx, accountId, id)
    if (replay.state === 'done' || replay.state === 'cancelled')
      throw new Refusal('replayOver', `Replay ${id} is ${replay.state}.`)
    const changed = await apply(trx, replay)
    await recordAudit(trx, { accountId, actor, action: `replay.${act}`, subject: `replay:${id}` })
    return changed
  })
}
