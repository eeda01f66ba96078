/** Imports accounts with their ids. */
import { sql } from 'kysely'
import { currentSigningKey } from '../../db/signing-key-columns.ts'
import type { Actor } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { boolean, bytea, integer, text, timestamptz, unnestRows } from '../../db/rows.ts'
import { createSuspensions } from '../../db/stops.ts'
import { compareFields, type ImportComparison } from '../../model/import-comparison.ts'
import { createSigningKey, openSigningKey, sealSigningKey } from '../../vault/signing-secrets.ts'
import type { Vault } from '../../vault/vault.ts'
import { suspensionReason } from './accounts.ts'

/** Fields that the file lacks are undefined. They get the values of a new account. */
export interface ImportedAccount {
  id: number
  name: string
  createdAt: Date | undefined
  isSuspended: boolean | undefined
  /** Null: as the installation. */
  originalStatuses: boolean | null | undefined
  signedCallsRequired: boolean | undefined
  signingKey: string | undefined
}

export async function compareAccounts(
  db: Database | Trx,
  vault: Vault,
  accounts: readonly ImportedAccount[],
): Promise<ImportComparison[]> {
  const existing = await db
    .selectFrom('accounts')
    .select([
      'id',
      'name',
      'createdAt',
      'suspendedAt',
      'originalStatuses',
      'signedCallsRequired',
      currentSigningKey.as('signingKey'),
    ])
    .where('id', 'in', accounts.length === 0 ? [0] : accounts.map(({ id }) => id))
    .execute()
  const byId = new Map(existing.map((row) => [row.id, row]))
  return accounts.map((account) => {
    const row = byId.get(account.id)
    if (row === undefined) return 'new'
    return compareFields(`Account ${account.id}`, {
      name: [account.name, row.name],
      created_at: [account.createdAt, row.createdAt],
      suspended: [account.isSuspended, row.suspendedAt !== null],
      statuses: [account.originalStatuses, row.originalStatuses],
      signed_calls_required: [account.signedCallsRequired, row.signedCallsRequired],
      signing_key: [
        account.signingKey,
        account.signingKey === undefined ? undefined : openSigningKey(vault, row.signingKey, row.id),
      ],
    })
  })
}

export async function insertAccounts(
  trx: Trx,
  vault: Vault,
  actor: Actor,
  accounts: readonly ImportedAccount[],
): Promise<void> {
  if (accounts.length === 0) return
  await sql`
    INSERT INTO accounts (id, name, created_at, suspended_at, original_statuses, signed_calls_required, signing_key)
    OVERRIDING SYSTEM VALUE
    SELECT id, name, coalesce(created_at, now()), CASE WHEN is_suspended THEN now() END, original_statuses,
           coalesce(signed_calls_required, false), signing_key
    FROM ${unnestRows('input', accounts, {
      id: integer(({ id }) => id),
      name: text(({ name }) => name),
      created_at: timestamptz(({ createdAt }) => createdAt),
      is_suspended: boolean(({ isSuspended }) => isSuspended),
      original_statuses: boolean(({ originalStatuses }) => originalStatuses),
      signed_calls_required: boolean(({ signedCallsRequired }) => signedCallsRequired),
      signing_key: bytea(({ id, signingKey }) => sealSigningKey(vault, id, signingKey ?? createSigningKey())),
    })}
  `.execute(trx)
  const suspended = accounts.filter(({ isSuspended }) => isSuspended).map(({ id }) => id)
  if (suspended.length > 0) await createSuspensions(trx, actor, suspended, suspensionReason)
}
