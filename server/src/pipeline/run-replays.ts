/**
 * Steps of replays, one after the other, on every worker: whichever comes first takes the next. Accounts take turns, so that
 * many replays of one do not hold up the only one of another.
 */
import type { Database } from '../db/database.ts'
import { every } from '../ops/every.ts'
import { findEnded } from './ledger/ended-deliveries.ts'
import type { EventSearch } from './ledger/find-events.ts'
import { firstDayKept } from './ledger/ledger-days.ts'
import { type FindDeliveries, stepReplay } from './replay.ts'
import type { SearchText } from './replays/replay-store.ts'

const lookEveryMs = 100
/** More than it takes to commit a job that was just made: retention keeps every day for it from then on. */
const leavesSoonMs = 60 * 60_000

export function runReplays(
  db: Database,
  retentionDays: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const find: FindDeliveries = (accountId, search, position, most) =>
    findEnded(db, accountId, readSearch(search), position, most)
  const keptFrom = (createdAt: Date): Date => firstDayKept(createdAt.getTime() + leavesSoonMs, retentionDays)
  const stopping = new AbortController()
  /** Each account once: answers whether there was any. */
  const stepEach = async (): Promise<boolean> => {
    const served: number[] = []
    while (!stopping.signal.aborted) {
      const accountId = await stepReplay({ db, find, keptFrom }, served)
      if (accountId === undefined) break
      served.push(accountId)
    }
    return served.length > 0
  }
  const stop = every(
    lookEveryMs,
    async () => {
      while (!stopping.signal.aborted) if (!(await stepEach())) return
    },
    onError,
  )
  return async () => {
    stopping.abort()
    await stop()
  }
}

/** A search as a job keeps it. */
export function keepSearch(search: EventSearch): SearchText {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )
}

function readSearch({ from, to, ...kept }: SearchText): EventSearch {
  return {
    // Kept by keepSearch, from a search.
    ...(kept as EventSearch),
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  }
}
