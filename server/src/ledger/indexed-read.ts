import { sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'

/**
 * Runs reads with plans that scan an index and stop early. The planner assumes average-sized accounts and knows
 * nothing of a new day. By default it would collect a whole day of an account, sort it and keep fifty rows.
 */
export function withIndexScans<T>(db: Database, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`SET LOCAL enable_bitmapscan = off`.execute(trx)
      return read(trx)
    })
}
