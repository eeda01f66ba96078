import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'

/**
 * Reads with plans that walk along an index and stop where they have enough. The planner takes every account for one of
 * average size, and of a new day it knows nothing; left to itself it would collect all that an account has of a day, sort
 * it and keep fifty.
 */
export function alongIndexes<T>(db: Database, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`SET LOCAL enable_bitmapscan = off`.execute(trx)
      return read(trx)
    })
}
