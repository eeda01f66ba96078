/**
 * Live tails of this process. One statement reads for all of them, each from its own position, as soon as something
 * may have been committed. A tail whose client does not read is not read for, so nothing piles up. After a timeout it
 * is closed, and its client continues from the last position it received.
 *   open → wait or wake → read for those with room → write → report routes → repeat
 */
import { Readable } from 'node:stream'
import { type Database, isDatabaseUnavailable } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import type { Clock } from '../runtime/clock.ts'
import { beforeTransaction, decodeCursor, isAhead, type TailPosition } from './cursor.ts'
import {
  positionAt,
  readHorizon,
  readTail,
  type Tailed,
  type TailedEvent,
  type TailRequest,
} from './read-tail.ts'
import { readRoutes, recentEventIds, type RoutedEvent } from './read-routes.ts'
import { createRouteWatch, maxWatched, type RouteWatch, watchMs } from './route-watch.ts'

interface TailOptions {
  accountId: number
  from: 'now' | Date | { cursor: string }
  /** Whether the tail includes an event. */
  accepts: (event: TailedEvent) => boolean
  /** Formats a row. */
  write: (row: Tailed) => string
  /** Formats the route of an event. Not a row: it has no position. */
  writeRoute: (event: RoutedEvent) => string
  /** Formats the first message, with the start position if it is known. */
  greet: (position: TailPosition | undefined) => string
  /** Formats a heartbeat. With the position, because rows that the tail does not include have advanced it. */
  heartbeat: (position: TailPosition) => string
  /** Whether the caller is still authorized. */
  isStillAllowed: () => Promise<boolean>
}

export interface Tail {
  open: (options: TailOptions) => Promise<Readable>
  /** Called when something was committed. */
  wake: () => void
  /** Ends all tails. Clients reconnect elsewhere. */
  stop: () => Promise<void>
}

interface TailDeps {
  db: Database
  clock: Clock
  onError: (error: unknown) => void
}

interface OpenTail extends Omit<TailOptions, 'from'> {
  readable: Readable
  position: TailPosition
  watch: RouteWatch
  /** Rows committed before this time are skipped. */
  since: Date | undefined
  hasRoom: boolean
  /** Monotonic times: since when there is no room, last write, last authorization check. */
  roomAt: number
  heartbeatAt: number
  allowedAt: number
  isChecking: boolean
}

interface WatchedEvent {
  accountId: number
  eventId: string
  watchers: OpenTail[]
}

const pollMs = 250
/** After a hint: a running transaction may block the row for a moment. */
const pollSoonMs = 25
const rowsPerBatch = 200
const routesPerBatch = 2_000
const maxPerAccount = 10
const maxTotal = 500
const heartbeatMs = 15_000
const timeoutMs = 30_000
const checkMs = 3_000

function noop(): void {}

function requestOf({ accountId, position }: OpenTail): TailRequest {
  return { accountId, after: position, max: rowsPerBatch }
}

export function createTail({ db, clock, onError }: TailDeps): Tail {
  const tails = new Set<OpenTail>()
  let isStopped = false
  let soonUntil = 0
  let running: Promise<void> | undefined
  let wakeUp = noop

  async function run(): Promise<void> {
    while (tails.size > 0) {
      const hasMore = await poll().catch((error: unknown) => {
        onError(error)
        return false
      })
      for (const tail of tails) maintain(tail)
      if (!hasMore) await pause(clock.monotonic() < soonUntil ? pollSoonMs : pollMs)
    }
    running = undefined
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        setTimeout(resolve, pollSoonMs)
        wakeUp = noop
      }
    })
  }

  /** Returns whether a tail has more rows to read. */
  async function poll(): Promise<boolean> {
    const ready = [...tails].filter(({ hasRoom }) => hasRoom)
    if (ready.length === 0) return false
    const pages = await readPages(ready)
    for (const [index, tail] of ready.entries()) push(tail, pages[index] ?? [])
    await reportRoutes()
    return pages.some((page, index) => page.length === rowsPerBatch && ready[index]?.hasRoom === true)
  }

  /** Reads in one statement. If it is rejected, reads each tail alone, so one does not end the others. */
  async function readPages(ready: readonly OpenTail[]): Promise<Tailed[][]> {
    try {
      return await readTail(db, ready.map(requestOf), clock.now())
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      onError(error)
      const pages: Tailed[][] = []
      for (const tail of ready) pages.push(await readAlone(tail))
      return pages
    }
  }

  async function readAlone(tail: OpenTail): Promise<Tailed[]> {
    try {
      const [page = []] = await readTail(db, [requestOf(tail)], clock.now())
      return page
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      end(tail)
      return []
    }
  }

  function push(tail: OpenTail, rows: readonly Tailed[]): void {
    const last = rows.at(-1)
    if (last === undefined || !tails.has(tail)) return
    tail.position = last.position
    const { since } = tail
    const requested = rows.filter(
      (row) =>
        (since === undefined || row.position.at >= since) && (row.kind !== 'event' || tail.accepts(row)),
    )
    for (const row of requested) if (row.kind === 'event' && isRecent(row.acceptedAt)) tail.watch.add(row.id)
    if (requested.length > 0) write(tail, requested.map(tail.write).join(''))
  }

  function isRecent(at: Date): boolean {
    return at.getTime() > clock.now() - watchMs
  }

  /**
   * Reports which deliveries an event has got, or that it has none. Routes are read and not followed in commit order,
   * so routing pays nothing for tails. A finished delivery is a row of its own.
   */
  async function reportRoutes(): Promise<void> {
    const watched = watchedEvents()
    if (watched.length === 0) return
    const routes = await readRoutes(db, watched)
    for (const [index, route] of routes)
      for (const tail of watched[index]?.watchers ?? []) {
        if (!tails.has(tail)) continue
        tail.watch.remove(route.eventId)
        write(tail, tail.writeRoute(route))
      }
  }

  /** Returns events to look up, each once per account. Accounts take turns, so that none uses up the batch. */
  function watchedEvents(): WatchedEvent[] {
    const byAccount = Map.groupBy(
      [...tails].filter(({ hasRoom }) => hasRoom),
      ({ accountId }) => accountId,
    )
    const queues = [...byAccount].map(([accountId, watchers]) =>
      [
        ...Map.groupBy(
          watchers.flatMap((tail) => tail.watch.eventIds().map((eventId) => ({ tail, eventId }))),
          ({ eventId }) => eventId,
        ),
      ].map(([eventId, entries]) => ({ accountId, eventId, watchers: entries.map(({ tail }) => tail) })),
    )
    const longest = Math.max(0, ...queues.map(({ length }) => length))
    const batch: WatchedEvent[] = []
    for (let turn = 0; turn < longest && batch.length < routesPerBatch; turn++)
      batch.push(...queues.flatMap((queue) => queue[turn] ?? []))
    return batch.slice(0, routesPerBatch)
  }

  function write(tail: OpenTail, text: string): void {
    tail.heartbeatAt = clock.monotonic()
    tail.hasRoom = tail.readable.push(text)
    if (!tail.hasRoom) tail.roomAt = clock.monotonic()
  }

  function maintain(tail: OpenTail): void {
    const now = clock.monotonic()
    if (!tail.hasRoom && now - tail.roomAt > timeoutMs) end(tail)
    else if (tail.hasRoom && now - tail.heartbeatAt > heartbeatMs) write(tail, tail.heartbeat(tail.position))
    if (!tail.isChecking && now - tail.allowedAt > checkMs) void check(tail)
  }

  /** A failed check counts as unauthorized: the client reconnects. */
  async function check(tail: OpenTail): Promise<void> {
    tail.isChecking = true
    const isAllowed = await tail.isStillAllowed().catch(() => false)
    tail.isChecking = false
    tail.allowedAt = clock.monotonic()
    if (!isAllowed) end(tail)
  }

  /** Ends a tail. The client receives unread rows after it reconnects. */
  function end(tail: OpenTail): void {
    tails.delete(tail)
    if (tail.hasRoom && !tail.readable.destroyed) tail.readable.push(null)
    else tail.readable.destroy()
  }

  async function findStart({ accountId, from }: TailOptions): Promise<TailPosition> {
    if (from instanceof Date) return positionAt(db, accountId, from)
    const horizon = await readHorizon(db)
    if (from === 'now') return beforeTransaction(horizon.oldestRunning, horizon.now)
    const position = decodeCursor(from.cursor)
    if (position === undefined || isAhead(position, horizon))
      throw new ApiError('parameterInvalid', 'Unknown cursor. Start with from=now.')
    return position
  }

  return {
    async open(options) {
      const position = await findStart(options)
      // The client may have received these without their routes.
      const unreported =
        typeof options.from === 'object' && 'cursor' in options.from
          ? await recentEventIds(db, options.accountId, new Date(clock.now() - watchMs), maxWatched)
          : []
      // No await from here until the tail is added, so concurrent calls cannot exceed the limits.
      const ofAccount = [...tails].filter(({ accountId }) => accountId === options.accountId)
      if (ofAccount.length >= maxPerAccount)
        throw new ApiError('tooManyTails', `Live tail limit of ${maxPerAccount} reached. Close one first.`, {
          retryAfterSeconds: 5,
          details: { limit: maxPerAccount },
        })
      if (tails.size >= maxTotal || isStopped)
        throw new ApiError(
          'unavailable',
          isStopped ? 'This process is stopping.' : 'This process has too many live tails.',
          { retryAfterSeconds: 5 },
        )
      const now = clock.monotonic()
      const readable = new Readable({
        read() {
          tail.hasRoom = true
        },
      })
      const { from, ...rest } = options
      const tail: OpenTail = {
        ...rest,
        readable,
        position,
        watch: createRouteWatch(clock),
        since: from instanceof Date ? from : undefined,
        hasRoom: true,
        roomAt: now,
        heartbeatAt: now,
        allowedAt: now,
        isChecking: false,
      }
      for (const eventId of unreported.toReversed()) tail.watch.add(eventId)
      readable.once('close', () => tails.delete(tail))
      tails.add(tail)
      write(tail, options.greet(from instanceof Date ? undefined : position))
      running ??= run()
      return readable
    },
    wake() {
      if (tails.size === 0) return
      soonUntil = clock.monotonic() + pollMs
      wakeUp()
    },
    async stop() {
      isStopped = true
      for (const tail of tails) end(tail)
      wakeUp()
      await running
    },
  }
}
