/**
 * Parameters `u` = <login alias or email> and `p` = <password>, deprecated and strongly discouraged. They act in the account
 * that the login was created in. Rejects logins with
 * two-factor authentication, because the password alone is not enough.
 */
import { authenticateLogin, type PasswordDeps } from '../../identity/accounts/authenticate-login.ts'
import { accountSuspended } from '../../identity/accounts/accounts.ts'
import { rememberNetwork } from '../../identity/accounts/known-networks.ts'
import { ssoRequired } from '../../db/break-glass.ts'
import { memberScopes } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import type { Credential } from './credential.ts'
import { holdsKey } from './parameter-key.ts'

export function loginPassword(deps: PasswordDeps): Credential {
  const kind = 'login-password'
  return {
    kind,
    find: ({ params }) =>
      params.u !== undefined && params.p !== undefined && !holdsKey(params)
        ? [{ kind, login: params.u, secret: params.p }]
        : [],
    async verify({ login = '', secret }, ip) {
      const holder = await authenticateLogin(deps, { login, password: secret, ip })
      const { loginId, home, hasSecondFactor, isNetworkFresh } = holder
      if (home === undefined)
        throw new ApiError(
          'noMembership',
          'The login is no member of the account that it was created in. Send an API key as "X-Api-Key: <key>".',
        )
      const { accountId, member, originalStatuses, isSignatureRequired } = home
      if (home.isSuspended) throw accountSuspended()
      if (hasSecondFactor)
        throw new ApiError(
          'secondFactorRequired',
          'This login uses two-factor authentication. Send an API key as "X-Api-Key: <key>" instead of the password.',
        )
      // Break-glass owners have two-factor authentication, so they are rejected above.
      if (home.requiredConnection !== null) throw ssoRequired(home.requiredConnection)
      if (!isNetworkFresh) await rememberNetwork(deps.db, deps.vault, loginId, ip)
      const scopes = memberScopes(member)
      return { accountId, loginId, member, kind, originalStatuses, isSignatureRequired, scopes }
    },
  }
}
