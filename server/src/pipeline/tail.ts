/**
 * Live tails of this process: one statement reads for all of them, each from its own position, as soon as something may
 * have been committed. A tail that does not take what it is given is not read for, so nothing piles up; after a while it is
 * cut off, and whoever held it goes on from the last position it saw.
 *   open → wait or be woken → read for those with room → write → again
 */
import { Readable } from 'node:stream'
import { type Database, isDatabaseUnavailable } from '../db/database.ts'
import { Refusal } from '../model/errors.ts'
import type { Clock } from '../ops/clock.ts'
import { beforeAll, readPosition, type TailPosition } from './tail/position.ts'
import {
  type Horizon,
  positionAt,
  readHorizon,
  readTail,
  slackMs,
  type Tailed,
  type TailRequest,
} from './tail/read-tail.ts'

interface TailOptions {
  accountId: number
  from: 'now' | Date | { cursor: string }
  /** How a row is written; asked for every one. */
  write: (row: Tailed) => string
  /** Said at first, with the position it begins at, if that can be told. */
  greet: (position: TailPosition | undefined) => string
  beat: string
  /** Whether who opened it may still see it. */
  isStillAllowed: () => Promise<boolean>
}

export interface Tail {
  open: (options: TailOptions) => Promise<Readable>
  /** Something was committed. */
  wake: () => void
  /** Ends all tails; their holders go on elsewhere. */
  stop: () => Promise<void>
}

interface TailParts {
  db: Database
  clock: Clock
  onError: (error: unknown) => void
}

interface OpenTail extends Omit<TailOptions, 'from'> {
  readable: Readable
  position: TailPosition
  /** What was committed for earlier than this is passed over. */
  since: Date | undefined
  hasRoom: boolean
  /** When it last took something, was beaten for, and was found to be allowed. */
  roomAt: number
  beatAt: number
  allowedAt: number
  isChecking: boolean
}

const lookEveryMs = 250
/** After a hint: a transaction that is not over yet may be in the way for a moment. */
const lookSoonMs = 25
const rowsAtOnce = 200
const mostOfAccount = 10
const mostInAll = 500
const beatMs = 15_000
const patienceMs = 30_000
const checkMs = 3_000

function nobodyWaits(): void {}

function requestOf({ accountId, position }: OpenTail): TailRequest {
  return { accountId, after: position, most: rowsAtOnce }
}

function isAhead({ xid, at }: TailPosition, { next, now }: Horizon): boolean {
  return BigInt(xid) > BigInt(next) || at.getTime() > now.getTime() + slackMs
}

export function createTail({ db, clock, onError }: TailParts): Tail {
  const tails = new Set<OpenTail>()
  let isStopped = false
  let soonUntil = 0
  let running: Promise<void> | undefined
  let wakeUp = nobodyWaits

  async function run(): Promise<void> {
    while (tails.size > 0) {
      const isFull = await look().catch((error: unknown) => {
        onError(error)
        return false
      })
      for (const tail of tails) lookAfter(tail)
      if (!isFull) await pause(clock.monotonic() < soonUntil ? lookSoonMs : lookEveryMs)
    }
    running = undefined
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        setTimeout(resolve, lookSoonMs)
        wakeUp = nobodyWaits
      }
    })
  }

  /** Answers whether one of them has more to read. */
  async function look(): Promise<boolean> {
    const ready = [...tails].filter(({ hasRoom }) => hasRoom)
    if (ready.length === 0) return false
    const pages = await readPages(ready)
    for (const [place, tail] of ready.entries()) give(tail, pages[place] ?? [])
    return pages.some((page, place) => page.length === rowsAtOnce && ready[place]?.hasRoom === true)
  }

  /** In one statement; if that cannot be run, each alone, so that one of them is not the end of the others. */
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

  function give(tail: OpenTail, rows: readonly Tailed[]): void {
    const last = rows.at(-1)
    if (last === undefined || !tails.has(tail)) return
    tail.position = last.position
    const { since } = tail
    const wanted = since === undefined ? rows : rows.filter(({ position }) => position.at >= since)
    if (wanted.length > 0) say(tail, wanted.map(tail.write).join(''))
  }

  function say(tail: OpenTail, text: string): void {
    tail.beatAt = clock.monotonic()
    tail.hasRoom = tail.readable.push(text)
    if (!tail.hasRoom) tail.roomAt = clock.monotonic()
  }

  function lookAfter(tail: OpenTail): void {
    const now = clock.monotonic()
    if (!tail.hasRoom && now - tail.roomAt > patienceMs) end(tail)
    else if (tail.hasRoom && now - tail.beatAt > beatMs) say(tail, tail.beat)
    if (!tail.isChecking && now - tail.allowedAt > checkMs) void check(tail)
  }

  /** What cannot be asked counts as no: its holder will ask again. */
  async function check(tail: OpenTail): Promise<void> {
    tail.isChecking = true
    const isAllowed = await tail.isStillAllowed().catch(() => false)
    tail.isChecking = false
    tail.allowedAt = clock.monotonic()
    if (!isAllowed) end(tail)
  }

  /** What it has not taken by then it gets elsewhere. */
  function end(tail: OpenTail): void {
    tails.delete(tail)
    if (tail.hasRoom && !tail.readable.destroyed) tail.readable.push(null)
    else tail.readable.destroy()
  }

  async function begin({ accountId, from }: TailOptions): Promise<TailPosition> {
    if (from instanceof Date) return positionAt(db, accountId, from)
    const horizon = await readHorizon(db)
    if (from === 'now') return beforeAll(horizon.oldestRunning, horizon.now)
    const position = readPosition(from.cursor)
    if (position === undefined || isAhead(position, horizon))
      throw new Refusal(
        'parameterInvalid',
        'The cursor is not one that was answered here. Begin with from=now.',
      )
    return position
  }

  return {
    async open(options) {
      const position = await begin(options)
      // From here until it is added nothing else has its turn, so many at once do not slip past the limits.
      const own = [...tails].filter(({ accountId }) => accountId === options.accountId)
      if (own.length >= mostOfAccount)
        throw new Refusal('tooManyStreams', `An account can have ${mostOfAccount} live tails open here.`, {
          retryAfterSeconds: 5,
        })
      if (tails.size >= mostInAll || isStopped)
        throw new Refusal(
          'unavailable',
          isStopped ? 'This process is stopping.' : 'This process bears no more live tails.',
          { retryAfterSeconds: 5 },
        )
      const now = clock.monotonic()
      const readable = new Readable({
        read() {
          tail.hasRoom = true
        },
      })
      const { from, ...given } = options
      const tail: OpenTail = {
        ...given,
        readable,
        position,
        since: from instanceof Date ? from : undefined,
        hasRoom: true,
        roomAt: now,
        beatAt: now,
        allowedAt: now,
        isChecking: false,
      }
      readable.once('close', () => tails.delete(tail))
      tails.add(tail)
      say(tail, options.greet(from instanceof Date ? undefined : position))
      running ??= run()
      return readable
    },
    wake() {
      if (tails.size === 0) return
      soonUntil = clock.monotonic() + lookEveryMs
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
