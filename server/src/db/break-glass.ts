/**
 * Accounts that require single sign-on are entered only through their identity provider. Break-glass owners are the exception:
 * with a passkey, or a password and a second factor, they can repair the connection. An account that requires single sign-on
 * keeps at least one.
 */
import { sql } from 'kysely'
import { ApiError } from '../model/errors.ts'
import type { Trx } from './database.ts'
import { hasSecondFactor } from './second-factor.ts'

/** For a query with `memberships`. */
const isBreakGlass = sql<boolean>`(memberships.is_break_glass AND memberships.role = 'owner' AND EXISTS (
  SELECT FROM logins WHERE logins.id = memberships.login_id AND ${hasSecondFactor}))`

/** Whether a member can enter the account only through the identity provider. For a query with `memberships`. */
export const requiresSso = sql<boolean>`(EXISTS (
  SELECT FROM sso_connections AS required
  WHERE required.account_id = memberships.account_id AND required.is_required) AND NOT ${isBreakGlass})`

/** Returns the connection if a member can enter the account only through it. */
export async function findRequiredSso(
  trx: Trx,
  { accountId, loginId }: { accountId: number; loginId: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT sso_connections.id FROM memberships JOIN sso_connections USING (account_id)
    WHERE memberships.account_id = ${accountId} AND memberships.login_id = ${loginId} AND ${requiresSso}
  `.execute(trx)
  return rows[0]?.id
}

/**
 * Keeps the second factors of owners until the transaction ends. Called before a change of the requirement or of break-glass
 * owners: it and the removal of a factor see each other only with a common lock.
 */
export async function lockSecondFactors(trx: Trx, accountId: number): Promise<void> {
  await sql`
    SELECT FROM logins JOIN memberships ON memberships.login_id = logins.id
    WHERE memberships.account_id = ${accountId} AND role = 'owner'
    ORDER BY logins.id FOR SHARE OF logins
  `.execute(trx)
}

/** Called after a change of owners or of their second factor, in its transaction. */
export async function keepBreakGlass(trx: Trx, accountId: number): Promise<void> {
  const required = await trx
    .selectFrom('ssoConnections')
    .select('id')
    .where('accountId', '=', accountId)
    .where('isRequired', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (required === undefined) return
  const { rows } = await sql`
    SELECT FROM memberships WHERE account_id = ${accountId} AND ${isBreakGlass} LIMIT 1`.execute(trx)
  if (rows.length === 0)
    throw new ApiError(
      'lastBreakGlass',
      'The account requires single sign-on, so it needs a break-glass owner with two-factor authentication. Choose another one first.',
    )
}

/** Called after a login has lost its second factor, in the same transaction. */
export async function keepBreakGlassOf(trx: Trx, loginId: number): Promise<void> {
  const memberships = await trx
    .selectFrom('memberships')
    .select('accountId')
    .where('loginId', '=', loginId)
    .where('isBreakGlass', '=', true)
    .orderBy('accountId')
    .execute()
  for (const { accountId } of memberships) await keepBreakGlass(trx, accountId)
}

export function ssoRequired(connection: string): ApiError {
  return new ApiError('ssoRequired', 'The account requires single sign-on. Sign in with it.', {
    details: { connection },
  })
}
