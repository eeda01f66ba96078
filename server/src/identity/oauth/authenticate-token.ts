/**
 * Authenticates an access token with one query per call over token, grant, app, publisher, account and
 * membership. Revocation, expiry and suspension of each take effect immediately on every process.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isScope, type Scope } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import type { Member, Role } from '../../model/role.ts'
import type { Vault } from '../../vault/vault.ts'
import { digestOf } from './sealed-payload.ts'

interface TokenHolder {
  accountId: number
  /** The login that authorized the app. */
  loginId: number
  /** Its role and rights now. A token never allows more. */
  member: Member
  appId: string
  scopes: Scope[]
  originalStatuses: boolean | null
  isSignatureRequired: boolean
}

export async function authenticateToken(db: Database, vault: Vault, token: string): Promise<TokenHolder> {
  const found = await db
    .selectFrom('oauthRecords')
    .innerJoin('grants', 'grants.digest', 'oauthRecords.grantDigest')
    .innerJoin('apps', 'apps.id', 'grants.appId')
    .innerJoin('accounts as publishers', 'publishers.id', 'apps.accountId')
    .innerJoin('accounts', 'accounts.id', 'grants.accountId')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.accountId', '=', 'grants.accountId')
        .onRef('memberships.loginId', '=', 'grants.loginId'),
    )
    .select([
      sql<Role>`memberships.role`.as('role'),
      'memberships.canReveal',
      'memberships.canExport',
      'grants.accountId',
      'grants.loginId',
      'grants.appId',
      'oauthRecords.scopes',
      'accounts.suspendedAt',
      'accounts.originalStatuses',
      'accounts.signedCallsRequired as isSignatureRequired',
      'publishers.suspendedAt as publisherSuspendedAt',
    ])
    .where('oauthRecords.digest', '=', digestOf(vault, 'AccessToken', token))
    .where('oauthRecords.model', '=', 'AccessToken')
    .where('oauthRecords.expiresAt', '>', sql<Date>`now()`)
    .where('grants.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (found === undefined) throw invalidToken('Access token unknown, expired or revoked.')
  if (found.suspendedAt !== null) throw new ApiError('accountSuspended', 'This account is suspended.')
  if (found.publisherSuspendedAt !== null) throw invalidToken('The app is suspended.')
  const { accountId, loginId, appId, originalStatuses, isSignatureRequired, role, canReveal, canExport } =
    found
  const member = { role, canReveal, canExport }
  const scopes = found.scopes.filter(isScope)
  return { accountId, loginId, member, appId, originalStatuses, isSignatureRequired, scopes }
}

export function invalidToken(message: string): ApiError {
  return new ApiError('authenticationFailed', message, {
    headers: { 'www-authenticate': 'Bearer realm="hookline", error="invalid_token"' },
  })
}
