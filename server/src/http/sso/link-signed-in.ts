/** Links the user of the provider who has just signed in there to the login that the same browser signs in with next. */
import type { Trx } from '../../db/database.ts'
import { findMember } from '../../identity/members/members.ts'
import { linkIdentity } from '../../identity/sso/identities.ts'
import { ApiError } from '../../model/errors.ts'
import type { ApiDeps, Origin } from '../operation/operation.ts'
import { type UnlinkedUser, unlinkedCookie } from './flow-cookie.ts'

export function readUnlinked(
  { vault, baseUrl, clock }: Pick<ApiDeps, 'vault' | 'baseUrl' | 'clock'>,
  { headers }: Origin,
): UnlinkedUser {
  const found = unlinkedCookie.read(vault, baseUrl, headers, clock.now())
  if (found === undefined)
    throw new ApiError('ssoFailed', 'The sign-in at the identity provider has expired. Start again.')
  return found
}

/** The login has proven its password, and its second factor if it has one. The transaction holds the connection. */
export async function linkSignedIn(
  trx: Trx,
  { accountId, issuer, subject, email }: UnlinkedUser,
  loginId: number,
): Promise<void> {
  if ((await findMember(trx, { accountId, loginId })) === undefined)
    throw new ApiError(
      'noMembership',
      'You are not a member of this account. Ask an admin for an invitation.',
    )
  const identity = { accountId, issuer, subject }
  if (!(await linkIdentity(trx, `login:${loginId}`, identity, { loginId, email, by: 'user' })))
    throw new ApiError(
      'ssoFailed',
      'Your login, or this user of the identity provider, already has another link. Ask an owner of the account to remove it.',
    )
}
