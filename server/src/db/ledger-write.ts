/**
 * The mark of transactions that write rows which are followed in the order of commit: events and deliveries. Readers go up
 * to the oldest marked transaction that is running (`commit_horizon()`), so it must be set before the transaction gets its
 * number: in the first statement, where that decides what else is read. A row that was written without it may be missed.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from './database.ts'

/** A condition that is always true and is judged before the rows of its query are read or locked. */
export const ledgerWrite: RawBuilder<boolean> = sql`(SELECT begin_ledger_write())`

/** For a transaction that writes or locks something else before. */
export async function beginLedgerWrite(trx: Trx): Promise<void> {
  await sql`SELECT begin_ledger_write()`.execute(trx)
}
