/** Idempotency keys: a call with a key takes effect once per account, across all processes. */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { beginLedgerWrite } from '../../db/ledger-write.ts'
import { asDatabase } from '../../db/nested.ts'
import { ApiError } from '../../model/errors.ts'
import { drain } from '../../runtime/drain.ts'
import type { Vault } from '../../vault/vault.ts'

interface KeyedCall {
  accountId: number
  key: string
  /** Everything that makes the call differ from another one. */
  content: string
  storesEvents: boolean
}

const keptFor = sql`interval '24 hours'`
const maxKeysPerAccount = 2_000
const maxRowsPerStep = 10_000
const maxEvictedPerCall = 10

/**
 * Runs a call, or returns the response of the call that had the same key. The key, the effect and the response are
 * committed together. A call that fails or is interrupted leaves no key. A concurrent call waits for the first one.
 */
export async function runOnce<T extends object>(
  { db, vault }: { db: Database; vault: Vault },
  call: KeyedCall,
  run: (db: Database) => Promise<T>,
): Promise<{ response: T; isRepeated: boolean }> {
  const { accountId, key } = call
  const context = `idempotency:${accountId}`
  const callDigest = vault.digest(call.content, context)
  return db.transaction().execute(async (trx) => {
    // Before the key: readers of events would pass a transaction that gets its mark later than its id.
    if (call.storesEvents) await beginLedgerWrite(trx)
    if (!(await claimKey(trx, { accountId, key, callDigest }))) {
      const stored = await readResponse(trx, { accountId, key, callDigest })
      return { response: JSON.parse(vault.open(stored, context)) as T, isRepeated: true }
    }
    const response = await run(asDatabase(trx))
    await trx
      .updateTable('idempotencyKeys')
      .set({ response: vault.seal(JSON.stringify(response), context) })
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .execute()
    return { response, isRepeated: false }
  })
}

interface Claim {
  accountId: number
  key: string
  callDigest: Buffer
}

/** Returns false if a call has used the key. Waits for a call that is using it. */
async function claimKey(trx: Trx, { accountId, key, callDigest }: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO idempotency_keys (account_id, key, call_digest) VALUES (${accountId}, ${key}, ${callDigest})
    ON CONFLICT (account_id, key) DO UPDATE SET call_digest = excluded.call_digest, used_at = now()
    WHERE idempotency_keys.used_at < now() - ${keptFor}
  `.execute(trx)
  if (numAffectedRows !== 1n) return false
  await evictOldest(trx, accountId)
  return true
}

/** An account cannot fill the disk with responses. */
async function evictOldest(trx: Trx, accountId: number): Promise<void> {
  await sql`
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE account_id = ${accountId}
      ORDER BY used_at DESC OFFSET ${maxKeysPerAccount} LIMIT ${maxEvictedPerCall} FOR UPDATE SKIP LOCKED))
  `.execute(trx)
}

async function readResponse(trx: Trx, { accountId, key, callDigest }: Claim): Promise<Buffer> {
  const stored = await trx
    .selectFrom('idempotencyKeys')
    .select(['callDigest', 'response'])
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (stored?.callDigest.equals(callDigest) === false)
    throw new ApiError(
      'idempotencyKeyReused',
      'Another call has used this "Idempotency-Key". Create a new key for each call, and use it again only to repeat the call.',
    )
  if (!stored?.response) throw new Error('response of an idempotency key not found')
  return stored.response
}

export async function pruneIdempotencyKeys(db: Database): Promise<void> {
  await drain(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys WHERE used_at < now() - ${keptFor} LIMIT ${maxRowsPerStep}))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
