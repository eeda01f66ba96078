/**
 * A replay step: sends finished deliveries again, a batch at a time, on any worker.
 *   claim a job with a due step → next page of its selection → a further round of each → new position
 * Reading takes no lock. The last two are one commit, made only if the job has not changed meanwhile. So a process
 * that dies has either done a step or not. Rounds of a replay are processed like all deliveries: attempts, retries,
 * final states. The job continues only as they are attempted and within its rate limit, so fresh events do not wait
 * behind it.
 */
import type { Database, Trx } from '../db/database.ts'
import { beginLedgerWrite } from '../db/ledger-write.ts'
import {
  isReturningToHeld,
  isStillClaimed,
  type Replay,
  saveReplay,
  type SearchText,
  type Selection,
  type ClaimedReplay,
  claimReplay,
} from './replay-store.ts'
import { countFinished, countSendable, countUnfinished } from '../delivery/queue/replay-counts.ts'
import { measureRate } from './replay-rate.ts'
import {
  addRounds,
  cancelRounds,
  type DeliveryName,
  returnToHeld,
  suspendRounds,
  releaseHeldBatch,
} from '../delivery/queue/replay-rounds.ts'

/** Finds finished deliveries by a search, from a position on; `next` is null at the end. */
export type FindDeliveries = (
  accountId: number,
  search: SearchText,
  position: string | null,
  max: number,
) => Promise<Page>

interface Page {
  deliveries: DeliveryName[]
  next: string | null
}

interface ReplayDeps {
  db: Database
  find: FindDeliveries
  /** Events accepted before this were about to leave the ledger when the job was created. They are not replayed. */
  keptFrom: (createdAt: Date) => Date
}

/** A step starts this many milliseconds' worth of the job's rate. */
const stepMs = 250
const maxPerStep = 500
/** Seconds' worth of deliveries that may wait for their first attempt: few enough for fresh events to pass. */
const maxSecondsAhead = 2
/** Maximum of unfinished deliveries, including retries. More would fill the account's backlog. */
const maxUnfinished = 10_000
const countEveryMs = 1_000
const idleMs = 250
/** For a job whose deliveries do not move, unless its webhook is deleted or its events leave the ledger. */
const idleJobMs = 60_000

/** Runs one step of one job, of an account not in `excludedAccounts`. Returns the account; undefined if no step is due. */
export async function stepReplay(
  deps: ReplayDeps,
  excludedAccounts: readonly number[],
): Promise<number | undefined> {
  const replay = await claimReplay(deps.db, excludedAccounts)
  if (replay === undefined) return undefined
  switch (replay.state) {
    case 'counting':
      await stepCounting(deps, replay)
      break
    case 'running':
      await stepRunning(deps, replay)
      break
    case 'paused':
      await stepPaused(deps, replay)
      break
    case 'cancelled':
      await stepCancelled(deps, replay)
      break
    case 'done':
      throw new Error('a finished replay has no steps')
  }
  return replay.accountId
}

/** Commits a step. */
async function commit(
  db: Database,
  replay: ClaimedReplay,
  apply: (trx: Trx) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await beginLedgerWrite(trx)
    if (await isStillClaimed(trx, replay)) await apply(trx)
  })
}

async function stepCounting({ db, find }: ReplayDeps, replay: ClaimedReplay): Promise<void> {
  const { deliveries, next } = await nextPage(find, replay, maxPerStep)
  const total = replay.total + deliveries.length
  const isFinished = next === null && ({ state: 'running', isCounted: true } as const)
  await commit(db, replay, (trx) => saveReplay(trx, replay, { total, position: next, ...isFinished }, 0))
}

async function stepRunning(deps: ReplayDeps, replay: ClaimedReplay): Promise<void> {
  const { db } = deps
  const { unfinished, unattempted, waiting } = await countUnfinished(db, replay)
  const isFinished = replay.isRead && unfinished === 0
  const finished = isFinished || isCountDue(replay, unfinished) ? await countFinished(db, replay) : undefined
  const counts = { waiting, ...finished, ...(finished && { perSecond: measureRate(replay, finished) }) }
  if (isFinished) {
    const total = replay.started + replay.skipped
    await commit(db, replay, (trx) =>
      saveReplay(trx, replay, { ...counts, state: 'done', total }, 'finished'),
    )
    return
  }
  const max = Math.min(maxPerStep, Math.ceil((replay.maxPerSecond * stepMs) / 1_000))
  const isBelowLimits =
    unfinished < maxUnfinished && unattempted < Math.max(max, replay.maxPerSecond * maxSecondsAhead)
  if (replay.isRead || !isBelowLimits) {
    await commit(db, replay, (trx) => saveReplay(trx, replay, counts, idleMs))
    return
  }
  const start = await readNext(deps, replay, max)
  await commit(db, replay, async (trx) => {
    const { started = 0, skipped, ...step } = await start(trx)
    const skippedNow = skipped?.all ?? 0
    const progress = {
      started: replay.started + started,
      skipped: replay.skipped + skippedNow,
      ...(skipped && {
        skippedDisabled: replay.skippedDisabled + skipped.disabled,
        skippedDeleted: replay.skippedDeleted + skipped.deleted,
        skippedPending: replay.skippedPending + skipped.pending,
      }),
      // More deliveries may have been put on hold than there were.
      total: Math.max(replay.total, replay.started + started + replay.skipped + skippedNow),
    }
    // A page without started deliveries is followed by the next immediately.
    const nextMs = started > 0 || skippedNow > 0 ? (started * 1_000) / replay.maxPerSecond : idleMs
    await saveReplay(trx, replay, { ...counts, ...step, ...progress }, nextMs)
  })
}

/** Counting must not cost more than the deliveries. */
function isCountDue(replay: ClaimedReplay, unfinished: number): boolean {
  const { countedAt, claimedAt, started } = replay
  if (isCountCurrent(replay, unfinished)) return false
  if (countedAt === null) return true
  return claimedAt.getTime() - countedAt.getTime() > countEveryMs * Math.max(1, started / 50_000)
}

/** Whether no delivery has finished since the last count. */
function isCountCurrent({ started, delivered, failed }: Replay, unfinished: number): boolean {
  return started === delivered + failed + unfinished
}

/** Result of a step, and where the next continues. */
interface Step extends Partial<
  Pick<Replay, 'started' | 'position' | 'isRead' | 'state' | 'endedByDisabling'>
> {
  /** The others no longer exist. */
  skipped?: { all: number; disabled: number; deleted: number; pending: number }
}

/** Reads the next page. The returned function starts it. */
async function readNext(
  { find, keptFrom }: ReplayDeps,
  replay: ClaimedReplay,
  max: number,
): Promise<(trx: Trx) => Promise<Step>> {
  const { selection } = replay
  if (selection.kind === 'held') return (trx) => release(trx, replay, selection.hook_id, max)
  const { deliveries, next } = await nextPage(find, replay, max)
  return async (trx) => {
    const added = await addRounds(trx, replay, deliveries, keptFrom(replay.createdAt))
    const isAdded = new Set(added.map(nameOf))
    const others = deliveries.filter((delivery) => !isAdded.has(nameOf(delivery)))
    const skipped = { ...(await countSendable(trx, replay.accountId, others)), all: others.length }
    return { started: added.length, skipped, position: next, isRead: next === null }
  }
}

function nameOf({ eventId, hookId }: DeliveryName): string {
  return `${eventId} ${hookId}`
}

async function release(trx: Trx, replay: Replay, hookId: number, max: number): Promise<Step> {
  const step = await releaseHeldBatch(trx, replay, hookId, max)
  // Disabled again: the remaining deliveries stay on hold for the account to decide.
  if (step === undefined) return { state: 'cancelled', endedByDisabling: true }
  const isEmpty = step.released === 0 && step.isSettled
  return {
    started: step.adopted,
    isRead: isEmpty && !(await isReturningToHeld(trx, replay.accountId, hookId)),
  }
}

function nextPage(
  find: FindDeliveries,
  { accountId, selection, position }: Replay,
  max: number,
): Promise<Page> {
  if (selection.kind === 'search') return find(accountId, selection.search, position, max)
  return Promise.resolve(listedPage(selection, Number(position ?? 0), max))
}

function listedPage(selection: Selection, from: number, max: number): Page {
  const listed = selection.kind === 'deliveries' ? selection.deliveries : []
  const deliveries = listed.slice(from, from + max)
  return {
    deliveries: deliveries.map(({ event_id, hook_id }) => ({ eventId: event_id, hookId: hook_id })),
    next: from + max < listed.length ? String(from + max) : null,
  }
}

/** Paused: suspends deliveries that return from attempts in flight. Once no more can, the job is checked rarely. */
async function stepPaused({ db }: ReplayDeps, replay: ClaimedReplay): Promise<void> {
  const { unfinished, scheduled } = await countUnfinished(db, replay)
  const counts = isCountDue(replay, unfinished) ? await countFinished(db, replay) : undefined
  const isIdle = scheduled === 0 && (counts !== undefined || isCountCurrent(replay, unfinished))
  await commit(db, replay, async (trx) => {
    await suspendRounds(trx, replay)
    await saveReplay(trx, replay, counts ?? {}, isIdle ? idleJobMs : countEveryMs)
  })
}

/** Canceled: finishes pending deliveries, and those that return from attempts in flight, until none is left. */
async function stepCancelled({ db }: ReplayDeps, replay: ClaimedReplay): Promise<void> {
  const { unfinished } = await countUnfinished(db, replay)
  const counts = unfinished === 0 || isCountDue(replay, unfinished) ? await countFinished(db, replay) : {}
  await commit(db, replay, async (trx) => {
    if (unfinished === 0) return saveReplay(trx, replay, counts, 'finished')
    const isHeld = replay.selection.kind === 'held'
    const finished = await (isHeld ? returnToHeld(trx, replay) : cancelRounds(trx, replay))
    return saveReplay(trx, replay, counts, finished > 0 ? 0 : idleMs)
  })
}
