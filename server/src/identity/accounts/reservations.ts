/**
 * Runs attempts within their allowance. An attempt in flight holds allowance in all its buckets and returns it if it
 * proves right. If attempts in flight hold all that is left, the next one waits for them for a bounded time, so parallel
 * calls with the right password all succeed, and parallel guesses get no more tries than one after the other.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { type Allowance, type BucketState, fail, release, reserve } from './attempt-store.ts'

interface Attempt {
  /** What the attempt is held against before it starts. */
  allowances: readonly Allowance[]
  /** What it counts in besides if it fails, without being held against it. */
  alsoFails?: readonly Allowance[]
  /** The text for a caller who failed too often. */
  tooMany: string
}

export interface Reservations {
  /** Runs the check, which returns whether the attempt was right. An exception counts neither way. */
  run: (attempt: Attempt, check: () => Promise<boolean>) => Promise<boolean>
}

interface Waiter {
  buckets: ReadonlySet<string>
  wake: () => void
}

/** A client still waits for its response after this. */
const maxWaitMs = 10_000
/** For reservations of other processes, which cannot wake anybody here. */
const pollMs = 200
const maxWaiting = 1_000

export function createReservations(db: Database): Reservations {
  const waiters = new Set<Waiter>()

  function wake(buckets: readonly string[], count: number): void {
    const sharing = [...waiters].filter((waiter) => buckets.some((bucket) => waiter.buckets.has(bucket)))
    for (const waiter of sharing.slice(0, count)) waiter.wake()
  }

  function waitForRelease(buckets: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        waiters.delete(waiter)
        resolve()
      }
      const timer = setTimeout(end, pollMs + Math.random() * pollMs)
      const waiter = { buckets: new Set(buckets), wake: end }
      waiters.add(waiter)
    })
  }

  async function reserveAll({ allowances, tooMany }: Attempt, reservation: string): Promise<void> {
    const buckets = allowances.map(({ bucket }) => bucket)
    const until = performance.now() + maxWaitMs
    for (;;) {
      const states = await reserve(db, reservation, allowances)
      const missing = states.filter(({ isReserved }) => !isReserved)
      if (missing.length === 0) return
      if (missing.length < buckets.length) await release(db, reservation, buckets)
      refuseSpent(allowances, states, tooMany, 0)
      if (performance.now() > until || waiters.size >= maxWaiting)
        throw new Refusal('unavailable', 'Too many attempts at once. Try again in a moment.', {
          retryAfterSeconds: 2,
        })
      await waitForRelease(buckets)
    }
  }

  return {
    async run(given, check) {
      const attempt = { ...given, allowances: sorted(given.allowances) }
      const reservation = randomBytes(8).toString('hex')
      const buckets = attempt.allowances.map(({ bucket }) => bucket)
      await reserveAll(attempt, reservation)
      let isRight: boolean | undefined
      try {
        isRight = await check()
      } finally {
        if (isRight !== false) {
          await release(db, reservation, buckets)
          wake(buckets, 1)
        }
      }
      if (isRight) return true
      const counted = sorted([...attempt.allowances, ...(attempt.alsoFails ?? [])])
      const states = await fail(
        db,
        reservation,
        counted.map(({ bucket }) => bucket),
      )
      wake(buckets, waiters.size)
      refuseSpent(attempt.alsoFails ?? [], states, attempt.tooMany, 1)
      return false
    },
  }
}

/** Refuses if a bucket has as many failures as it may have, besides those of this attempt. */
function refuseSpent(
  allowances: readonly Allowance[],
  states: readonly BucketState[],
  tooMany: string,
  own: number,
): void {
  const maxima = new Map(allowances.map(({ bucket, max }) => [bucket, max]))
  const spent = states.filter(({ bucket, failures }) => failures - own >= (maxima.get(bucket) ?? Infinity))
  if (spent.length > 0)
    throw new Refusal('tooManyFailedLogins', tooMany, {
      retryAfterSeconds: Math.max(1, ...spent.map(({ secondsLeft }) => Math.ceil(secondsLeft))),
    })
}

function sorted(allowances: readonly Allowance[]): Allowance[] {
  return allowances.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1))
}
