/**
 * Whose key is this? Asked of the database at every call, with one index look-up: so a revoked key, an expired one or
 * a suspended account stops working at once on every process, and there is no cache to be wrong.
 */
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type Scope, isScope } from '../../model/caller.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { keyDigestContext } from './create-key.ts'
import { isToken } from './token.ts'

interface KeyHolder {
  accountId: number
  keyId: number
  scopes: Scope[]
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
      sql<boolean>`coalesce(keys.expires_at <= now(), false)`.as('hasExpired'),
      sql<boolean>`keys.allowed_ips IS NULL OR ${isIP(ip) === 0 ? null : ip}::inet <<= ANY (keys.allowed_ips)`.as(
        'ipAllowed',
      ),
    ])
    .where('keys.digest', '=', vault.digest(key, keyDigestContext))
    .executeTakeFirst()

  if (found === undefined) throw unknownKey()
  if (found.revokedAt !== null) throw new Refusal('authenticationFailed', 'This API key has been revoked.')
  if (found.hasExpired) throw new Refusal('authenticationFailed', 'This API key has expired.')
  if (found.suspendedAt !== null) throw new Refusal('accountSuspended', 'This account is suspended.')
  if (!found.ipAllowed)
    throw new Refusal('ipNotAllowed', `This API key may not be used from the IP address ${ip}.`)
  return { accountId: found.accountId, keyId: found.id, scopes: found.scopes.filter(isScope) }
}

function unknownKey(): Refusal {
  return new Refusal('authenticationFailed', 'The API key is not known. Check that it was copied completely.')
}
