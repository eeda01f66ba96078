/**
 * Finds or creates the login of a user of an account's identity provider. The provider may lie, so it can reach only members of
 * its own account: by a link that exists, by a verified email of a verified domain, or by creating a login. It never reaches a
 * login that is no member.
 */
import { randomBytes } from 'node:crypto'
import type { Actor } from '../../db/audit.ts'
import { countChange } from '../../db/change-count.ts'
import type { Trx } from '../../db/database.ts'
import { insertLogin, isNamed, validateEmail } from '../../identity/accounts/logins.ts'
import { findMember, setFirstRole } from '../../identity/members/members.ts'
import type { SsoConnection } from '../../identity/sso/connections.ts'
import { domainOf, hasVerifiedDomain } from '../../identity/sso/domains.ts'
import { linkIdentity, useIdentity } from '../../identity/sso/identities.ts'
import type { ProviderUser } from '../../identity/sso/provider-client.ts'
import { ApiError } from '../../model/errors.ts'
import { lockConnection } from './lock-connection.ts'

/** Users who join by signing in, as many as an account can invite. */
const joinLimits = { perMinute: 20, perDay: 200 }
const actor: Actor = 'service'

/**
 * Returns the login that signs in. A new login gets `unusableHash`, the hash of a password that nobody knows. It is undefined
 * if the user was known before the transaction, or if nobody can join by signing in.
 */
export async function signInUser(
  trx: Trx,
  asked: SsoConnection,
  user: ProviderUser,
  unusableHash: string | undefined,
): Promise<number> {
  const { accountId, issuer } = asked
  const identity = { accountId, issuer, subject: user.subject }
  const known = await useIdentity(trx, identity)
  if (known !== undefined) {
    // A removed member does not come back by signing in.
    if ((await findMember(trx, { accountId, loginId: known })) === undefined)
      throw new ApiError('noMembership', 'You are no longer a member of the account. Ask for an invitation.')
    return known
  }

  const connection = await lockConnection(trx, asked)
  const email = await requireVerifiedEmail(trx, accountId, user)
  const existing = await trx
    .selectFrom('logins')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.loginId', '=', 'logins.id').on('memberships.accountId', '=', accountId),
    )
    .select(['logins.id', 'logins.emailVerifiedAt', 'memberships.role'])
    .where(isNamed(email))
    .executeTakeFirst()
  if (existing !== undefined) {
    if (existing.role === null || existing.emailVerifiedAt === null) throw notLinked()
    const link = { loginId: existing.id, email, by: 'email' } as const
    if (await linkIdentity(trx, actor, identity, link)) return existing.id
    // Linked meanwhile, by the same user in another browser.
    if ((await useIdentity(trx, identity)) === existing.id) return existing.id
    throw subjectChanged()
  }

  if (connection.defaultRole === null || unusableHash === undefined)
    throw new ApiError('noMembership', 'You are not a member of the account. Ask for an invitation.')
  validateEmail(email)
  await countChange(trx, accountId, 'invitations', joinLimits)
  const login = { alias: aliasFor(email), email, isEmailVerified: true }
  const loginId = await insertLogin(trx, actor, accountId, login, unusableHash)
  const { defaultRole: role, canReveal, canExport } = connection
  await setFirstRole(trx, actor, { accountId, loginId }, { role, canReveal, canExport })
  await linkIdentity(trx, actor, identity, { loginId, email, by: 'first-sign-in' })
  return loginId
}

async function requireVerifiedEmail(trx: Trx, accountId: number, user: ProviderUser): Promise<string> {
  const { email, isEmailVerified } = user
  const domain = email === undefined ? undefined : domainOf(email)
  if (email === undefined || domain === undefined) throw new NotLinked('The provider sends no email.')
  if (!isEmailVerified) throw new NotLinked('The provider does not call your email verified.')
  if (!(await hasVerifiedDomain(trx, accountId, domain))) throw notLinked()
  return email
}

/** Nobody chooses the alias, so it cannot be used to take names that others want. */
function aliasFor(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).replaceAll(/[^A-Za-z0-9._-]/g, '')
  return `${local.slice(0, 50)}-${randomBytes(4).toString('hex')}`
}

/** The user is not known, and may link a login. `reason` depends on the provider only, so it reveals no login. */
export class NotLinked extends ApiError {
  constructor(reason?: string) {
    super(
      'ssoFailed',
      [
        'Your user at the identity provider is not linked to a login.',
        ...(reason === undefined ? [] : [reason]),
        'If you are a member, sign in with your password to link your login. Otherwise ask for an invitation.',
      ].join(' '),
    )
  }
}

/** The same for a foreign domain and a login that is no member, so it reveals no login. */
function notLinked(): ApiError {
  return new NotLinked()
}

function subjectChanged(): ApiError {
  return new ApiError(
    'ssoFailed',
    'Your login is linked to another user of the identity provider. Ask an owner of the account to remove that link.',
  )
}
