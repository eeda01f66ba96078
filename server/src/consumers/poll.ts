/**
 * Poll: gives the reader of a consumer its next events.
 *   take or extend the lease → find the start → read a page → if it is empty: wait, extend the lease, read again
 * The position stays until the reader commits. Only if there was nothing to read since the committed position, the poll
 * moves it itself, so the next one does not read the same foreign events again.
 */
import type { Database } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import type { EventCatalog } from '../model/event-type/catalog.ts'
import type { Clock } from '../runtime/clock.ts'
import { beforeTransaction, isAhead, rejectAhead } from '../tail/cursor.ts'
import type { EventPosition } from '../tail/read-events.ts'
import { type Horizon, positionAt, readHorizon } from '../tail/read-tail.ts'
import type { Vault } from '../vault/vault.ts'
import { commitPosition, type Consumer, type ReaderLease, releaseLease, takeLease } from './consumer-store.ts'
import { type EventSource, loadSource, type RequestChanges } from './event-source.ts'
import { findPruned, type Pruned } from './pruned.ts'
import { type Page, type PolledEvent, readPage } from './read-page.ts'
import type { WaitingPolls } from './waiting-polls.ts'

interface PollDeps {
  db: Database
  vault: Vault
  clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>
  catalog: EventCatalog
  waitingPolls: WaitingPolls
}

export interface PollRequest extends RequestChanges {
  accountId: number
  consumerId: number
  /** Of the reader, from its first poll. */
  lease: string | undefined
  leaseSeconds: number
  /** Continues after events that are not committed yet. */
  after: EventPosition | undefined
  limit: number
  waitMs: number
  /** Runs a part of the call within the limits on expensive calls of the account. */
  runLimited: <T>(run: () => Promise<T>) => Promise<T>
  /** Whether the caller is still authorized, after a wait. */
  isStillAllowed: () => Promise<boolean>
}

export interface Polled {
  lease: ReaderLease
  events: PolledEvent[]
  position: EventPosition
  hasMore: boolean
  pruned: Pruned | undefined
}

/** A position without new events is moved to the present, so its age does not look like a gap. */
const maxIdleMs = 10 * 60_000
/** Filters of a waiting poll use at most this part of one core. */
const maxFilterShare = 0.02

/** Returns the result, or a function that waits for events. */
export async function poll(
  deps: PollDeps,
  request: PollRequest,
): Promise<Polled | ((signal: AbortSignal) => Promise<Polled>)> {
  const { consumer, lease } = await extendLease(deps, request, request.lease)
  try {
    return await pollLeased(deps, request, consumer, lease)
  } catch (error) {
    // A reader that got no response has no lease.
    if (request.lease === undefined)
      await releaseLease(deps.db, request.accountId, request.consumerId, lease.id)
    throw error
  }
}

async function pollLeased(
  deps: PollDeps,
  request: PollRequest,
  consumer: Consumer,
  lease: ReaderLease,
): Promise<Polled | ((signal: AbortSignal) => Promise<Polled>)> {
  const { accountId, consumerId } = request
  const horizon = await readHorizon(deps.db)
  const start = await findStart(deps, consumer, request.after, horizon)
  const pruned = await findPruned(deps.db, accountId, start.at, deps.clock.now())
  const source = await loadSource(deps, consumer, request)
  const page = await readPage(deps, accountId, source, start, request.limit)
  if (page.events.length > 0) return { ...page, lease, pruned }
  const isIdle = deps.clock.now() - page.position.at.getTime() > maxIdleMs
  // The horizon of the page itself: another one could have passed events that the page did not see.
  if (!page.hasMore && (isIdle || pruned !== undefined))
    page.position = beforeTransaction(page.horizon, horizon.now)
  if (pruned !== undefined) return { ...page, lease, pruned }
  if (isSame(start, consumer.position) && !isSame(page.position, start))
    await commitPosition(deps.db, accountId, consumerId, lease.id, page.position)
  if (page.hasMore || request.waitMs === 0) return { ...page, lease, pruned }
  return (signal) => pollLater(deps, request, source, page, lease, signal)
}

async function pollLater(
  deps: PollDeps,
  request: PollRequest,
  source: EventSource,
  first: Page,
  firstLease: ReaderLease,
  signal: AbortSignal,
): Promise<Polled> {
  const { accountId, consumerId, limit, waitMs } = request
  const { clock, waitingPolls } = deps
  const deadline = clock.monotonic() + waitMs
  const nothing = { ...first, lease: firstLease, pruned: undefined }
  let page = first
  while (page.events.length === 0) {
    const leftMs = deadline - clock.monotonic()
    const waiting = { accountId, after: page.position, deadline }
    if (leftMs <= 0 || !(await waitingPolls.untilNewer(consumerId, waiting, signal)))
      return { ...nothing, position: page.position }
    page = await request.runLimited(() => readPage(deps, accountId, source, page.position, limit))
    if (page.events.length > 0) break
    await clock.sleep(
      Math.min(page.units / 1_000_000 / maxFilterShare, Math.max(0, deadline - clock.monotonic())),
    )
  }
  if (!(await request.isStillAllowed())) return nothing
  try {
    // The reader may have lost the lease meanwhile. Then its next poll says so.
    const { lease } = await extendLease(deps, request, firstLease.id)
    return { ...page, lease, pruned: undefined }
  } catch (error) {
    if (error instanceof ApiError) return nothing
    throw error
  }
}

function extendLease({ db }: PollDeps, { accountId, consumerId, leaseSeconds }: PollRequest, lease?: string) {
  return takeLease(db, accountId, consumerId, lease, leaseSeconds)
}

async function findStart(
  { db }: PollDeps,
  { accountId, position }: Consumer,
  after: EventPosition | undefined,
  horizon: Horizon,
): Promise<EventPosition> {
  if (after !== undefined) {
    rejectAhead(after, horizon, 'after')
    return after
  }
  // After a restore into another database, transaction ids can be lower.
  return isAhead(position, horizon) ? positionAt(db, accountId, position.at) : position
}

function isSame(a: EventPosition, b: EventPosition): boolean {
  return a.xid === b.xid && a.eventId === b.eventId
}
