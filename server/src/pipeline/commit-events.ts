/** Commits events, and makes the partitions of their day first where they are missing: the clock may have leaped to it. */
import { type Database, readTime } from '../db/database.ts'
import { type IncomingEvent, insertEvents, type Inserted } from './intake/insert-events.ts'
import { isPartitionMissing, makePartitions } from './ledger/partitions.ts'

export async function commitEvents(db: Database, events: readonly IncomingEvent[]): Promise<Inserted[]> {
  try {
    return await insertEvents(db, events)
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    await makePartitions(db, await readTime(db))
    return insertEvents(db, events)
  }
}
