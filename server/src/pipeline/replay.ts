/**
 * Replay: deliveries that have ended are sent again, a batch at a time, on whichever worker comes first.
 *   take a job whose step is due → what comes next of its selection → a further round of it → the place it got to
 * Reading takes no lock; the last two are one commit, made only if nobody has changed the job meanwhile, so that a process
 * that dies has either done a step or not. Deliveries of a replay then go the way of all others: attempts, retries, final
 * states. The job goes on only as they are attempted and at its own pace, so that what is fresh does not wait behind it.
 */
import type { Database, Trx } from '../db/database.ts'
import { beginLedgerWrite } from '../db/ledger-write.ts'
import {
  isHoldingAgain,
  isStillTaken,
  type Replay,
  saveReplay,
  type SearchText,
  type Selection,
  type TakenReplay,
  takeReplay,
} from './replays/replay-store.ts'
import {
  addRounds,
  cancelRounds,
  countEnds,
  countOpen,
  type DeliveryName,
  holdAgain,
  park,
  releaseSome,
} from './work/replayed.ts'

/** Deliveries that have ended, found by a search, from a position on; `next` is null where it ends. */
export type FindDeliveries = (
  accountId: number,
  search: SearchText,
  position: string | null,
  most: number,
) => Promise<Page>

interface Page {
  deliveries: DeliveryName[]
  next: string | null
}

interface ReplayParts {
  db: Database
  find: FindDeliveries
  /** Events accepted before this were about to leave the ledger when the job was made: nothing of them is begun. */
  keptFrom: (createdAt: Date) => Date
}

/** A step takes so many milliseconds' worth of a job's rate. */
const stepMs = 250
const mostAStep = 500
/** So many seconds' worth may wait for its first attempt: little enough for what is fresh to pass. */
const secondsAhead = 2
/** What has not ended, retries and all; more would fill the account's backlog. */
const mostOpen = 10_000
const countEveryMs = 1_000
const idleMs = 250
/** Nothing of it moves, unless its webhook is deleted or its events leave the ledger. */
const stillMs = 60_000

/** One step of one job of an account that is none of these. Answers whose it was; undefined: none is due. */
export async function stepReplay(
  parts: ReplayParts,
  otherThan: readonly number[],
): Promise<number | undefined> {
  const replay = await takeReplay(parts.db, otherThan)
  if (replay === undefined) return undefined
  switch (replay.state) {
    case 'counting':
      await count(parts, replay)
      break
    case 'running':
      await run(parts, replay)
      break
    case 'paused':
      await rest(parts, replay)
      break
    case 'cancelled':
      await wind(parts, replay)
      break
    case 'done':
      throw new Error('a replay that is done has no steps')
  }
  return replay.accountId
}

/** The step's one commit. */
async function commit(
  db: Database,
  replay: TakenReplay,
  apply: (trx: Trx) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await beginLedgerWrite(trx)
    if (await isStillTaken(trx, replay)) await apply(trx)
  })
}

async function count({ db, find }: ReplayParts, replay: TakenReplay): Promise<void> {
  const { deliveries, next } = await nextPage(find, replay, mostAStep)
  const total = replay.total + deliveries.length
  const isOver = next === null && ({ state: 'running', isCounted: true } as const)
  await commit(db, replay, (trx) => saveReplay(trx, replay, { total, position: next, ...isOver }, 0))
}

async function run(parts: ReplayParts, replay: TakenReplay): Promise<void> {
  const { db } = parts
  const { open, unattempted } = await countOpen(db, replay)
  const isOver = replay.isRead && open === 0
  const ends = isOver || isCountDue(replay, open) ? await countEnds(db, replay) : {}
  if (isOver) {
    const total = replay.started + replay.skipped
    await commit(db, replay, (trx) => saveReplay(trx, replay, { ...ends, state: 'done', total }, 'over'))
    return
  }
  const most = Math.min(mostAStep, Math.ceil((replay.mostPerSecond * stepMs) / 1_000))
  const hasRoom = open < mostOpen && unattempted < Math.max(most, replay.mostPerSecond * secondsAhead)
  if (replay.isRead || !hasRoom) {
    await commit(db, replay, (trx) => saveReplay(trx, replay, ends, idleMs))
    return
  }
  const start = await readNext(parts, replay, most)
  await commit(db, replay, async (trx) => {
    const { started = 0, skipped = 0, ...step } = await start(trx)
    const progress = {
      started: replay.started + started,
      skipped: replay.skipped + skipped,
      // More may have come to be held than there was.
      total: Math.max(replay.total, replay.started + started + replay.skipped + skipped),
    }
    // A page of which nothing was started is followed by the next at once.
    const nextMs = started > 0 || skipped > 0 ? (started * 1_000) / replay.mostPerSecond : idleMs
    await saveReplay(trx, replay, { ...ends, ...step, ...progress }, nextMs)
  })
}

/** Counting again and again must not cost more than the work itself. */
function isCountDue(replay: TakenReplay, open: number): boolean {
  const { countedAt, takenAt, started } = replay
  if (isCountRight(replay, open)) return false
  if (countedAt === null) return true
  return takenAt.getTime() - countedAt.getTime() > countEveryMs * Math.max(1, started / 50_000)
}

/** Nothing has ended since it was counted. */
function isCountRight({ started, delivered, failed }: Replay, open: number): boolean {
  return started === delivered + failed + open
}

/** What a step did, and where the next goes on. */
type Step = Partial<Pick<Replay, 'started' | 'skipped' | 'position' | 'isRead' | 'state'>>

/** Reads what comes next; the answer starts it. */
async function readNext(
  { find, keptFrom }: ReplayParts,
  replay: TakenReplay,
  most: number,
): Promise<(trx: Trx) => Promise<Step>> {
  const { selection } = replay
  if (selection.kind === 'held') return (trx) => release(trx, replay, selection.hook_id, most)
  const { deliveries, next } = await nextPage(find, replay, most)
  return async (trx) => {
    const started = await addRounds(trx, replay, deliveries, keptFrom(replay.createdAt))
    return { started, skipped: deliveries.length - started, position: next, isRead: next === null }
  }
}

async function release(trx: Trx, replay: Replay, hookId: number, most: number): Promise<Step> {
  const step = await releaseSome(trx, replay, hookId, most)
  // Disabled again: what it still holds stays held, for its owner to decide anew.
  if (step === undefined) return { state: 'cancelled' }
  const isEmpty = step.released === 0 && step.isSettled
  return { started: step.own, isRead: isEmpty && !(await isHoldingAgain(trx, replay.accountId, hookId)) }
}

function nextPage(
  find: FindDeliveries,
  { accountId, selection, position }: Replay,
  most: number,
): Promise<Page> {
  if (selection.kind === 'search') return find(accountId, selection.search, position, most)
  return Promise.resolve(namedPage(selection, Number(position ?? 0), most))
}

function namedPage(selection: Selection, from: number, most: number): Page {
  const named = selection.kind === 'deliveries' ? selection.deliveries : []
  const deliveries = named.slice(from, from + most)
  return {
    deliveries: deliveries.map(({ event_id, hook_id }) => ({ eventId: event_id, hookId: hook_id })),
    next: from + most < named.length ? String(from + most) : null,
  }
}

/** Paused: parks what comes back from attempts that were under way. When nothing more can, it is looked at rarely. */
async function rest({ db }: ReplayParts, replay: TakenReplay): Promise<void> {
  const { open, unparked } = await countOpen(db, replay)
  const ends = isCountDue(replay, open) ? await countEnds(db, replay) : undefined
  const isStill = unparked === 0 && (ends !== undefined || isCountRight(replay, open))
  await commit(db, replay, async (trx) => {
    await park(trx, replay)
    await saveReplay(trx, replay, ends ?? {}, isStill ? stillMs : countEveryMs)
  })
}

/** Cancelled: ends what waits, and what comes back from attempts that were under way, until nothing is left. */
async function wind({ db }: ReplayParts, replay: TakenReplay): Promise<void> {
  const { open } = await countOpen(db, replay)
  const ends = open === 0 || isCountDue(replay, open) ? await countEnds(db, replay) : {}
  await commit(db, replay, async (trx) => {
    if (open === 0) return saveReplay(trx, replay, ends, 'over')
    const isHeld = replay.selection.kind === 'held'
    const ended = await (isHeld ? holdAgain(trx, replay) : cancelRounds(trx, replay))
    return saveReplay(trx, replay, ends, ended > 0 ? 0 : idleMs)
  })
}
