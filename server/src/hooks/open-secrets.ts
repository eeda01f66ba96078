/**
 * Opens the secrets that sign deliveries. A rotated hook secret stays valid for 24 hours beside the new one. A new
 * signing key of an account is announced 24 hours before deliveries use it: `X-Signature` has room for one signature.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import { currentSigningKey } from '../db/signing-key-columns.ts'
import { openHookSecret, openSigningKey } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'

const overlapSeconds = 24 * 60 * 60

/** The time between a rotation and the end of the older secret. */
export const overlap: RawBuilder<string> = sql`make_interval(secs => ${overlapSeconds})`

export const isSecretRotating: RawBuilder<boolean> = sql`coalesce(hooks.secret_rotated_at > now() - ${overlap}, false)`

/** The columns of the keys in effect. */
export const signingKeyColumns: RawBuilder<SigningKeyRow> = sql`
  ${currentSigningKey} AS signing_key,
  CASE WHEN accounts.signing_key_switches_at > now() THEN accounts.next_signing_key END AS next_signing_key`

/** Milliseconds until the secrets in effect change without a change of a row; null if they do not. */
export const secretsChangeInMs: RawBuilder<number | null> = sql`
  extract(epoch FROM least(
    CASE WHEN ${isSecretRotating} THEN hooks.secret_rotated_at + ${overlap} END,
    CASE WHEN accounts.signing_key_switches_at > now() THEN accounts.signing_key_switches_at END
  ) - now())::float8 * 1000`

export interface HookSecretRow {
  secret: Buffer | null
  previousSecret: Buffer | null
  secretGeneration: number
  isRotating: boolean
}

export interface SigningKeyRow {
  signingKey: Buffer | null
  nextSigningKey: Buffer | null
}

/** Returns the secrets of a hook, newest first. There are two while a rotation overlaps. */
export function openSecrets(vault: Vault, row: HookSecretRow, accountId: number, hookId: number): Buffer[] {
  const { secret, previousSecret, secretGeneration: generation, isRotating } = row
  const current = openHookSecret(vault, secret, { accountId, hookId, generation })
  // A sealed secret without a previous one replaced a secret that could not be opened.
  if (!isRotating || (secret !== null && previousSecret === null)) return [current]
  return [current, openHookSecret(vault, previousSecret, { accountId, hookId, generation: generation - 1 })]
}

/** Returns the signing keys of an account: the current one, and the next one until deliveries switch to it. */
export function openSigningKeys(
  vault: Vault,
  { signingKey, nextSigningKey }: SigningKeyRow,
  accountId: number,
): [current: string, next?: string] {
  const current = openSigningKey(vault, signingKey, accountId)
  return nextSigningKey === null ? [current] : [current, openSigningKey(vault, nextSigningKey, accountId)]
}

/** Key objects are created once: creating one per signature costs five times the signature. */
export function signingKeyObjects(vault: Vault, row: SigningKeyRow, accountId: number): KeyObject[] {
  return openSigningKeys(vault, row, accountId).flatMap((key) =>
    key === undefined ? [] : [createSecretKey(key, 'utf8')],
  )
}

export interface SigningSecrets {
  secret: string
  signingKey: string
  rotatedAt: Date | null
  /** Until then deliveries are also signed with the previous secret. */
  previousUntil: Date | null
}

/** Returns the signing secrets of a hook, for its receiver; undefined if the hook does not exist. */
export async function signingSecrets(
  db: Database | Trx,
  vault: Vault,
  accountId: number,
  hookId: number,
): Promise<SigningSecrets | undefined> {
  const { rows } = await sql<
    HookSecretRow & SigningKeyRow & { secretRotatedAt: Date | null; previousUntil: Date | null }
  >`
    SELECT secret, previous_secret, secret_generation, ${isSecretRotating} AS is_rotating, secret_rotated_at,
           CASE WHEN ${isSecretRotating} THEN secret_rotated_at + ${overlap} END AS previous_until, ${signingKeyColumns}
    FROM hooks JOIN accounts ON accounts.id = hooks.account_id
    WHERE hooks.account_id = ${accountId} AND hooks.id = ${hookId}
  `.execute(db)
  const found = rows[0]
  if (found === undefined) return undefined
  const [secret] = openSecrets(vault, found, accountId, hookId)
  return {
    secret: `whsec_${secret?.toString('base64')}`,
    signingKey: openSigningKeys(vault, found, accountId)[0],
    rotatedAt: found.secretRotatedAt,
    previousUntil: found.previousUntil,
  }
}
