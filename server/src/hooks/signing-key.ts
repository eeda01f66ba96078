/**
 * The signing key of an account. It signs `X-Signature` of deliveries and verifies that of calls.
 *   rotate: a next key is created, and calls can be signed with both
 *   switch: the next key replaces the current one, after 24 hours or at once
 * (`accounts` belongs to identity; the columns of the signing key belong to hooks.)
 */
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../db/audit.ts'
import type { AuditAction } from '../model/audit-actions.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import { currentSigningKey } from '../db/signing-key-columns.ts'
import { ApiError } from '../model/errors.ts'
import { orUndefined } from '../runtime/or-undefined.ts'
import { createSigningKey, openSigningKey, sealSigningKey } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { openSigningKeys, overlap, signingKeyColumns, type SigningKeyRow } from './open-secrets.ts'

export interface SigningKeys {
  current: string
  next: string | null
  /** When deliveries switch to the next key. Null without a next key. */
  switchesAt: Date | null
}

const switchesAt = sql<Date | null>`CASE WHEN signing_key_switches_at > now() THEN signing_key_switches_at END`

/** Returns the keys that a call can be signed with, the current one first. */
export async function readSigningKeys(
  db: Database | Trx,
  vault: Vault,
  accountId: number,
): Promise<SigningKeys> {
  const row = await readRow(db, accountId)
  const [current, next = null] = openSigningKeys(vault, row, accountId)
  return { current, next, switchesAt: row.switchesAt }
}

async function readRow(
  db: Database | Trx,
  accountId: number,
): Promise<SigningKeyRow & { switchesAt: Date | null }> {
  const { rows } = await sql<SigningKeyRow & { switchesAt: Date | null }>`
    SELECT ${signingKeyColumns}, ${switchesAt} AS switches_at FROM accounts WHERE id = ${accountId}
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('account not found')
  return row
}

/** Returns the settings without the keys. */
export async function readSigningSettings(
  db: Database,
  accountId: number,
): Promise<{ signedCallsRequired: boolean; switchesAt: Date | null }> {
  return db
    .selectFrom('accounts')
    .select(['signedCallsRequired', switchesAt.as('switchesAt')])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
}

/** Returns the keys. Every view is recorded in the audit log. */
export function viewSigningKeys(
  db: Database,
  vault: Vault,
  actor: Actor,
  accountId: number,
): Promise<SigningKeys> {
  return db.transaction().execute(async (trx) => {
    await record(trx, accountId, actor, 'account.signing-key.view')
    return readSigningKeys(trx, vault, accountId)
  })
}

/** Creates the next key, in place of an earlier one that is not in use yet. */
export function rotateSigningKey(
  db: Database,
  vault: Vault,
  actor: Actor,
  accountId: number,
  limits: ChangeLimits,
): Promise<SigningKeys> {
  return changeSigningKey(db, vault, actor, accountId, limits, 'account.signing-key.rotate', async (trx) => {
    const next = sealSigningKey(vault, accountId, createSigningKey())
    const delay = (await isReadable(trx, vault, accountId)) ? overlap : sql`interval '0'`
    await sql`
      UPDATE accounts SET
        signing_key = ${currentSigningKey}, next_signing_key = ${next}, signing_key_switches_at = now() + ${delay}
      WHERE id = ${accountId}
    `.execute(trx)
  })
}

/** A current key that cannot be decrypted is replaced at once: nothing can be signed with it. */
async function isReadable(trx: Trx, vault: Vault, accountId: number): Promise<boolean> {
  const row = await readRow(trx, accountId)
  return orUndefined(() => openSigningKey(vault, row.signingKey, accountId)) !== undefined
}

/** Replaces the current key with the next one at once. */
export function switchSigningKey(
  db: Database,
  vault: Vault,
  actor: Actor,
  accountId: number,
  limits: ChangeLimits,
): Promise<SigningKeys> {
  return changeSigningKey(db, vault, actor, accountId, limits, 'account.signing-key.switch', async (trx) => {
    const { numAffectedRows } = await sql`
      UPDATE accounts SET signing_key = next_signing_key, next_signing_key = NULL, signing_key_switches_at = NULL
      WHERE id = ${accountId} AND signing_key_switches_at > now()
    `.execute(trx)
    if (numAffectedRows === 0n)
      throw new ApiError('notFound', 'There is no next signing key. Rotate the signing key first.')
  })
}

/** Changes the keys as the hooks of the account change, so that caches load them again. */
function changeSigningKey(
  db: Database,
  vault: Vault,
  actor: Actor,
  accountId: number,
  limits: ChangeLimits,
  action: AuditAction,
  change: (trx: Trx) => Promise<void>,
): Promise<SigningKeys> {
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx }) => {
      await change(trx)
      await record(trx, accountId, actor, action)
      return readSigningKeys(trx, vault, accountId)
    },
    limits,
  )
}

function record(trx: Trx, accountId: number, actor: Actor, action: AuditAction): Promise<void> {
  return recordAudit(trx, { accountId, actor, action, subject: `account:${accountId}` })
}
