/**
 * Authenticates an API key with one index lookup per call and no cache. Revoked keys, expired keys and suspended accounts
 * stop working immediately on every process.
 */
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type Scope, isScope } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { keyDigestContext } from './create-key.ts'
import { isToken } from './token.ts'

interface KeyHolder {
  accountId: number
  keyId: number
  scopes: Scope[]
  originalStatuses: boolean | null
  isSignatureRequired: boolean
}

export async function authenticateKey(
  db: Database,
  vault: Vault,
  key: string,
  ip: string,
): Promise<KeyHolder> {
  if (!isToken(key, 'hlk')) throw unknownKey()
  const found = await db
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select([
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
    .where('keys.digest', '=', vault.digest(key, keyDigestContext))
    .executeTakeFirst()

  if (found === undefined) throw unknownKey()
  if (found.revokedAt !== null) throw new ApiError('authenticationFailed', 'API key revoked.')
  if (found.hasExpired) throw new ApiError('authenticationFailed', 'API key expired.')
  if (found.suspendedAt !== null) throw new ApiError('accountSuspended', 'This account is suspended.')
  if (!found.ipAllowed) throw new ApiError('ipNotAllowed', `Key not allowed from this IP address: ${ip}.`)
  const { accountId, id: keyId, originalStatuses, isSignatureRequired } = found
  return { accountId, keyId, originalStatuses, isSignatureRequired, scopes: found.scopes.filter(isScope) }
}

function unknownKey(): ApiError {
  return new ApiError('authenticationFailed', 'Unknown API key. Check that it was copied completely.')
}
