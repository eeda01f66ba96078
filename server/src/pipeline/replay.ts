/**
 * Replay: deliveries that have ended are sent again, a batch at a time, on whichever worker comes first.
 *   take a job whose step is due → what comes next of its selection → a further round of it → the place it got to
 * all in one commit, so that a process that dies has either done a step or not. Deliveries of a replay then go the way of
 * all others: attempts, retries, final states. The job goes on only as they are attempted and at its own pace, so that
 * what is fresh does not wait behind it.
 */
import type { Database, Trx } from '../db/database.ts'
import {
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
/** An attempt that began before a hook was enabled may hold its delivery a moment after. */
const heldSettlesMs = 3_000

/** One step of one job; false: none is due. */
export function stepReplay({ db, find }: ReplayParts): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const replay = await takeReplay(trx)
    if (replay === undefined) return false
    switch (replay.state) {
      case 'counting':
        await count(trx, find, replay)
        break
      case 'running':
        await run(trx, find, replay)
        break
      case 'paused':
        // What was under way when it was paused has come back.
        await park(trx, replay)
        await saveReplay(trx, replay, await countEnds(trx, replay), countEveryMs)
        break
      case 'cancelled':
        await wind(trx, replay)
        break
      case 'done':
        throw new Error('a replay that is done has no steps')
    }
    return true
  })
}

async function count(trx: Trx, find: FindDeliveries, replay: Replay): Promise<void> {
  const { deliveries, next } = await nextPage(find, replay, mostAStep)
  const total = replay.total + deliveries.length
  await saveReplay(
    trx,
    replay,
    { total, position: next, ...(next === null && { state: 'running', isCounted: true }) },
    0,
  )
}

async function run(trx: Trx, find: FindDeliveries, replay: TakenReplay): Promise<void> {
  const { open, unattempted } = await countOpen(trx, replay)
  const ends = isCountDue(replay, open) ? await countEnds(trx, replay) : {}
  if (replay.isRead && open === 0) {
    const total = replay.started + replay.skipped
    await saveReplay(trx, replay, { ...ends, state: 'done', total }, 'over')
    return
  }
  const most = Math.min(mostAStep, Math.ceil((replay.mostPerSecond * stepMs) / 1_000))
  const hasRoom = open < mostOpen && unattempted < Math.max(most, replay.mostPerSecond * secondsAhead)
  if (replay.isRead || !hasRoom) {
    await saveReplay(trx, replay, ends, idleMs)
    return
  }
  const { started = 0, skipped = 0, ...step } = await start(trx, find, replay, most)
  const progress = { started: replay.started + started, skipped: replay.skipped + skipped }
  // A page of which nothing was started is followed by the next at once.
  const nextMs = started > 0 || skipped > 0 ? (started * 1_000) / replay.mostPerSecond : idleMs
  await saveReplay(trx, replay, { ...ends, ...step, ...progress }, nextMs)
}

/** When all have ended it is due; before that, counting again and again must not cost more than the work itself. */
function isCountDue({ countedAt, takenAt, started, isRead }: TakenReplay, open: number): boolean {
  if (countedAt === null || (isRead && open === 0)) return true
  return takenAt.getTime() - countedAt.getTime() > countEveryMs * Math.max(1, started / 50_000)
}

/** What a step did, and where the next goes on. */
type Step = Partial<Pick<Replay, 'started' | 'skipped' | 'position' | 'isRead' | 'state'>>

async function start(trx: Trx, find: FindDeliveries, replay: TakenReplay, most: number): Promise<Step> {
  const { selection } = replay
  if (selection.kind === 'held') {
    const step = await releaseSome(trx, replay, selection.hook_id, most)
    // Disabled again: what it still holds stays held, for its owner to decide anew.
    if (step === undefined) return { state: 'cancelled' }
    const isSettled = replay.takenAt.getTime() - replay.createdAt.getTime() > heldSettlesMs
    return { started: step.own, isRead: step.released === 0 && isSettled }
  }
  const { deliveries, next } = await nextPage(find, replay, most)
  const started = await addRounds(trx, replay, deliveries)
  return { started, skipped: deliveries.length - started, position: next, isRead: next === null }
}

/** Read beside the step's own transaction: nobody else moves the position while that holds the job. */
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

/** Cancelled: ends what comes back from attempts that were under way, until nothing is left. */
async function wind(trx: Trx, replay: Replay): Promise<void> {
  if (replay.selection.kind === 'held') await holdAgain(trx, replay)
  else await cancelRounds(trx, replay)
  const { open } = await countOpen(trx, replay)
  await saveReplay(trx, replay, await countEnds(trx, replay), open === 0 ? 'over' : idleMs)
}
