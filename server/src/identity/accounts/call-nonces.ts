/** Nonces of signed calls. Each is accepted once per account, across all processes. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { drain } from '../../runtime/drain.ts'

/** Far longer than the timestamp of a signed call is accepted. */
const keptFor = sql`interval '5 minutes'`
const maxRowsPerStep = 10_000

/** Returns false if a call has used the nonce before. */
export async function claimNonce(db: Database, accountId: number, nonce: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('callNonces')
    .values({ accountId, nonce })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function pruneNonces(db: Database): Promise<void> {
  await drain(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM call_nonces WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM call_nonces WHERE used_at < now() - ${keptFor} LIMIT ${maxRowsPerStep}))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
