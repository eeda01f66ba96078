/** Commits events. Creates missing partitions of the day first: the clock may have jumped ahead. */
import { type Database, readTime } from '../db/database.ts'
import { type IncomingEvent, insertEvents, type Inserted } from './intake/insert-events.ts'
import { isPartitionMissing, createPartitions } from '../ledger/partitions.ts'

export async function commitEvents(db: Database, events: readonly IncomingEvent[]): Promise<Inserted[]> {
  try {
    return await insertEvents(db, events)
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    await createPartitions(db, await readTime(db))
    return insertEvents(db, events)
  }
}
