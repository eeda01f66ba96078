/**
 * Runs the steps of replays on every worker: any worker claims the next step. Accounts take turns, so many replays of
 * one account do not block the only one of another.
 */
import type { Database } from '../db/database.ts'
import { startInterval } from '../runtime/every.ts'
import { findFinished } from './select-deliveries.ts'
import type { EventSearch } from '../events/search-events.ts'
import { firstDayKept } from '../ledger/days.ts'
import { type FindDeliveries, stepReplay } from './replay-step.ts'
import type { SearchText } from './replay-store.ts'

const pollMs = 100
/** Of the polls while no job runs. */
const idlePollMs = 250
/** Longer than the pause between two steps of a running job. */
const idleAfterMs = 5_000
/** Longer than the commit of a new job takes. From then on retention keeps every day for the job. */
const commitMarginMs = 60 * 60_000

export function runReplays(
  db: Database,
  retentionDays: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const find: FindDeliveries = (accountId, search, position, max) =>
    findFinished(db, accountId, readSearch(search), position, max)
  const keptFrom = (createdAt: Date): Date =>
    firstDayKept(createdAt.getTime() + commitMarginMs, retentionDays)
  const stopping = new AbortController()
  /** Runs one step per account. Returns whether there was any. */
  const stepEach = async (): Promise<boolean> => {
    const served: number[] = []
    while (!stopping.signal.aborted) {
      const accountId = await stepReplay({ db, find, keptFrom }, served)
      if (accountId === undefined) break
      served.push(accountId)
    }
    return served.length > 0
  }
  let steppedAt = Number.NEGATIVE_INFINITY
  let polledAt = Number.NEGATIVE_INFINITY
  const isPollDue = (): boolean => {
    const now = performance.now()
    return now - steppedAt < idleAfterMs || now - polledAt >= idlePollMs - pollMs / 2
  }
  const stop = startInterval(
    pollMs,
    async () => {
      if (!isPollDue()) return
      polledAt = performance.now()
      while (!stopping.signal.aborted) {
        if (!(await stepEach())) return
        steppedAt = performance.now()
      }
    },
    onError,
  )
  return async () => {
    stopping.abort()
    await stop()
  }
}

/** Serializes a search for a job. */
export function serializeSearch(search: EventSearch): SearchText {
  const input = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    input.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )
}

function readSearch({ from, to, ...rest }: SearchText): EventSearch {
  return {
    // Written by serializeSearch, from a search.
    ...(rest as EventSearch),
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  }
}
