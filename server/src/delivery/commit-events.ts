/** Commits events. Creates missing partitions of the day first: the clock may have jumped ahead. */
import { type Database, readTime } from '../db/database.ts'
import { isPartitionMissing, createPartitions } from '../ledger/partitions.ts'
import { type IncomingEvent, insertEvents, type Inserted, type LeasedTo } from './queue/insert-events.ts'

export async function commitEvents(
  db: Database,
  events: readonly IncomingEvent[],
  leasedTo?: LeasedTo,
): Promise<Inserted[]> {
  try {
    return await insertEvents(db, events, leasedTo)
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    await createPartitions(db, await readTime(db))
    return insertEvents(db, events, leasedTo)
  }
}
