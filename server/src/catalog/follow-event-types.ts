/**
 * Keeps the catalog of event types of a process current. Every second it compares the version, and it reads the types
 * again if the version differs. While the database is unavailable, the last catalog stays in use.
 */
import { type Database, isRejected } from '../db/database.ts'
import { createCatalog, type EventCatalog } from '../model/event-type/catalog.ts'
import { createBatcher } from '../runtime/batch.ts'
import { startInterval } from '../runtime/every.ts'
import { readEventTypes, readEventTypesVersion } from './event-types.ts'

export interface EventTypes {
  current: () => EventCatalog
  /** Resolves when the catalog is at least as new as this call. */
  refresh: () => Promise<void>
}

const intervalMs = 1_000

export async function followEventTypes(
  db: Database,
  { acceptsUnknown, onError }: { acceptsUnknown: boolean; onError: (error: unknown) => void },
): Promise<EventTypes & { stop: () => Promise<void> }> {
  let version = ''
  let catalog = createCatalog([], acceptsUnknown)

  async function update(): Promise<void> {
    if ((await readEventTypesVersion(db)) === version) return
    const read = await readEventTypes(db)
    catalog = createCatalog(read.types, acceptsUnknown)
    version = read.version
  }

  // Concurrent callers share an update that starts after their call. Updates never overlap, so none is replaced by an older one.
  const refresh = createBatcher(
    async (calls: true[]) => {
      await update()
      return calls
    },
    { maxBatchSize: 10_000, maxConcurrentRuns: 1, isRejection: isRejected },
  )
  await refresh(true)
  const stop = startInterval(intervalMs, () => refresh(true), onError)
  return {
    current: () => catalog,
    refresh: async () => {
      await refresh(true)
    },
    stop,
  }
}
