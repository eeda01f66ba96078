/**
 * Runs attempts within their allowance. An attempt in flight reserves allowance in all its buckets and releases it if it
 * is correct. If attempts in flight hold the remaining allowance, the next one waits for a bounded time. So concurrent calls
 * with the correct password all succeed, and concurrent guesses get no more attempts than sequential ones.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import { type Allowance, type BucketState, fail, release, reserve } from './attempt-store.ts'

interface Attempt {
  /** Allowances that the attempt must reserve before it starts. */
  allowances: readonly Allowance[]
  /** Further buckets that count a failure but do not limit the attempt itself. */
  alsoFails?: readonly Allowance[]
  /** Error message after too many failures. */
  rejection: string
}

export interface Reservations {
  /** Runs the check, which returns whether the attempt was correct. An exception counts as neither. */
  run: (attempt: Attempt, check: () => Promise<boolean>) => Promise<boolean>
}

interface Waiter {
  buckets: ReadonlySet<string>
  wake: () => void
}

/** Below common client timeouts. */
const maxWaitMs = 10_000
/** Poll interval for reservations of other processes, which cannot wake waiters here. */
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

  async function reserveAll({ allowances, rejection }: Attempt, reservation: string): Promise<void> {
    const buckets = allowances.map(({ bucket }) => bucket)
    const until = performance.now() + maxWaitMs
    for (;;) {
      const states = await reserve(db, reservation, allowances)
      const missing = states.filter(({ isReserved }) => !isReserved)
      if (missing.length === 0) return
      if (missing.length < buckets.length) await release(db, reservation, buckets)
      rejectExhausted(allowances, states, rejection, 0)
      if (performance.now() > until || waiters.size >= maxWaiting)
        throw new ApiError('unavailable', 'Too many concurrent attempts. Retry later.', {
          retryAfterSeconds: 2,
        })
      await waitForRelease(buckets)
    }
  }

  return {
    async run(input, check) {
      const attempt = { ...input, allowances: sorted(input.allowances) }
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
      rejectExhausted(attempt.alsoFails ?? [], states, attempt.rejection, 1)
      return false
    },
  }
}

/** Throws if a bucket has reached its max failures, without those of this attempt. */
function rejectExhausted(
  allowances: readonly Allowance[],
  states: readonly BucketState[],
  rejection: string,
  ownFailures: number,
): void {
  const maxima = new Map(allowances.map(({ bucket, max }) => [bucket, max]))
  const exhausted = states.filter(
    ({ bucket, failures }) => failures - ownFailures >= (maxima.get(bucket) ?? Infinity),
  )
  if (exhausted.length > 0)
    throw new ApiError('tooManyAuthAttempts', rejection, {
      retryAfterSeconds: Math.max(1, ...exhausted.map(({ secondsLeft }) => Math.ceil(secondsLeft))),
    })
}

function sorted(allowances: readonly Allowance[]): Allowance[] {
  return allowances.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1))
}
