/** Commits events. Creates missing partitions of the day first: the clock may have jumped ahead. */
import { type Database, readTime } from '../db/database.ts'
import { isPartitionMissing, createPartitions } from '../ledger/partitions.ts'
import { type IncomingEvent, insertEvents, type Inserted, type LeasedTo } from './queue/insert-events.ts'

export async function commitEvents(
  db: Database,
  events: readonly IncomingEvent[],
  leasedTo?: LeasedTo,
): Promise<Inserted[]> {
  // Within a transaction, the savepoint lets it continue after a failure.
  const insert = (): Promise<Inserted[]> =>
    db.isTransaction
      ? db.transaction().execute((trx) => insertEvents(trx, events, leasedTo))
      : insertEvents(db, events, leasedTo)
  try {
    return await insert()
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    await createPartitions(db, await readTime(db))
    return insert()
  }
}
