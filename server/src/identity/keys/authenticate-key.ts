/**
 * Authenticates an API key with one index lookup per call and no cache. Revoked keys, expired keys and suspended accounts
 * stop working immediately on every process.
 */
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type Scope, isScope } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { hasImportedKeys, type ImportedKeys } from './imported-keys.ts'

interface KeyHolder {
  accountId: number
  keyId: number
  scopes: Scope[]
  originalStatuses: boolean | null
  isSignatureRequired: boolean
}

/** Thrown for a key that does not exist. */
export class UnknownKey extends ApiError {}

export async function authenticateKey(
  db: Database,
  imported: ImportedKeys,
  key: string,
  ip: string,
): Promise<KeyHolder> {
  const digests = imported.digestsOf(key)
  if (digests.length === 0) throw unknownKey()
  const { hasImported, id, accountId, scopes, ...found } = await db
    .selectFrom(sql`(SELECT 1)`.as('one'))
    .leftJoin('keys', (join) => join.on(sql<boolean>`keys.digest = ANY (${digests})`))
    .leftJoin('accounts', 'accounts.id', 'keys.accountId')
    .select([
      hasImportedKeys.as('hasImported'),
      'keys.id',
      'keys.accountId',
      'keys.scopes',
      'keys.revokedAt',
      'accounts.suspendedAt',
      'accounts.originalStatuses',
      sql<boolean>`keys.signed_calls_required OR accounts.signed_calls_required`.as('isSignatureRequired'),
      sql<boolean>`coalesce(keys.expires_at <= now(), false)`.as('hasExpired'),
      sql<boolean>`keys.allowed_ips IS NULL OR ${isIP(ip) === 0 ? null : ip}::inet <<= ANY (keys.allowed_ips)`.as(
        'ipAllowed',
      ),
    ])
    // A key that was imported twice, as two digests, is revoked with either.
    .orderBy(sql`keys.revoked_at IS NULL`)
    .orderBy('keys.id')
    .limit(1)
    .executeTakeFirstOrThrow()

  imported.observe(hasImported)
  if (id === null || accountId === null || scopes === null) throw unknownKey()
  if (found.revokedAt !== null) throw new ApiError('authenticationFailed', 'API key revoked.')
  if (found.hasExpired) throw new ApiError('authenticationFailed', 'API key expired.')
  if (found.suspendedAt !== null) throw new ApiError('accountSuspended', 'This account is suspended.')
  if (!found.ipAllowed) throw new ApiError('ipNotAllowed', `Key not allowed from this IP address: ${ip}.`)
  const { originalStatuses, isSignatureRequired } = found
  return { accountId, keyId: id, originalStatuses, isSignatureRequired, scopes: scopes.filter(isScope) }
}

function unknownKey(): UnknownKey {
  return new UnknownKey('authenticationFailed', 'Unknown API key. Check that it was copied completely.')
}
