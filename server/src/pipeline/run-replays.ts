/** Steps of replays, one after the other, on every worker: whichever comes first takes the next. */
import type { Database } from '../db/database.ts'
import { every } from '../ops/every.ts'
import { findEnded } from './ledger/ended-deliveries.ts'
import type { EventSearch } from './ledger/find-events.ts'
import { type FindDeliveries, stepReplay } from './replay.ts'
import type { SearchText } from './replays/replay-store.ts'

const lookEveryMs = 100

export function runReplays(db: Database, onError: (error: unknown) => void): () => Promise<void> {
  const find: FindDeliveries = (accountId, search, position, most) =>
    findEnded(db, accountId, readSearch(search), position, most)
  const stopping = new AbortController()
  const stop = every(
    lookEveryMs,
    async () => {
      while (!stopping.signal.aborted) if (!(await stepReplay({ db, find }))) return
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
