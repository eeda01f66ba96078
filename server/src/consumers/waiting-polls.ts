/**
 * Polls of this process that wait for new events. One statement checks for all of them, as soon as something may have
 * been committed. A consumer has one waiting poll: a newer one ends it.
 */
import type { Database } from '../db/database.ts'
import type { Clock } from '../runtime/clock.ts'
import { type EventPosition, haveNewerEvents } from '../tail/read-events.ts'

interface WaitingPoll {
  accountId: number
  after: EventPosition
  /** On the monotonic clock. */
  deadline: number
  end: (hasNewer: boolean) => void
}

export interface WaitingPolls {
  /** Resolves with true if there are newer events, and with false at the deadline or if the poll was ended. */
  untilNewer: (consumerId: number, poll: Omit<WaitingPoll, 'end'>, signal: AbortSignal) => Promise<boolean>
  /** Called when something was committed. */
  wake: () => void
  /** Ends all waiting polls. */
  stop: () => Promise<void>
}

interface WaitingDeps {
  db: Database
  clock: Clock
  onError: (error: unknown) => void
}

const checkMs = 250
/** After a hint: a running transaction may block the event for a moment. */
const checkSoonMs = 25
const maxTotal = 500

export function createWaitingPolls({ db, clock, onError }: WaitingDeps): WaitingPolls {
  const polls = new Map<string, WaitingPoll>()
  let isStopped = false
  let soonUntil = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (polls.size > 0) {
      await clock.sleep(clock.monotonic() < soonUntil ? checkSoonMs : checkMs)
      try {
        await check([...polls.values()])
      } catch (error) {
        onError(error)
      }
      const now = clock.monotonic()
      for (const poll of polls.values()) if (now >= poll.deadline) poll.end(false)
    }
    running = undefined
  }

  async function check(waiting: readonly WaitingPoll[]): Promise<void> {
    if (waiting.length === 0) return
    const newer = await haveNewerEvents(db, waiting, clock.now())
    for (const [index, poll] of waiting.entries()) if (newer[index]) poll.end(true)
  }

  /** Ends a poll of the account that has the most. Its reader polls again. */
  function endOneOfMost(): void {
    const byAccount = [...Map.groupBy(polls.values(), ({ accountId }) => accountId).values()]
    byAccount.toSorted((a, b) => b.length - a.length)[0]?.[0]?.end(false)
  }

  return {
    untilNewer(consumerId, poll, signal) {
      const key = `${poll.accountId} ${consumerId}`
      polls.get(key)?.end(false)
      if (isStopped || signal.aborted) return Promise.resolve(false)
      if (polls.size >= maxTotal) endOneOfMost()
      return new Promise((resolve) => {
        const end = (hasNewer: boolean): void => {
          if (polls.get(key)?.end === end) polls.delete(key)
          signal.removeEventListener('abort', abort)
          resolve(hasNewer)
        }
        const abort = (): void => end(false)
        signal.addEventListener('abort', abort)
        polls.set(key, { ...poll, end })
        running ??= run()
      })
    },
    wake() {
      if (polls.size > 0) soonUntil = clock.monotonic() + checkMs
    },
    async stop() {
      isStopped = true
      for (const poll of polls.values()) poll.end(false)
      await running
    },
  }
}
