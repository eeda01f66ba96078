/**
 * Marks transactions that write events or deliveries, which readers follow in commit order.
 * Readers read up to the oldest running marked transaction (`commit_horizon()`). So the mark must be set before the
 * transaction gets its id: in the first statement that writes or locks. Readers may miss a row that is written
 * without it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from './database.ts'

/** A condition that is always true. PostgreSQL evaluates it before it reads or locks the rows of its query. */
export const ledgerWrite: RawBuilder<boolean> = sql`(SELECT begin_ledger_write())`

/** Sets the mark in a transaction that writes or locks something else first. */
export async function beginLedgerWrite(trx: Trx): Promise<void> {
  await sql`SELECT begin_ledger_write()`.execute(trx)
}
