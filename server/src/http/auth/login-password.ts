/**
 * Parameters `u` = <login alias or email> and `p` = <password>, deprecated and strongly discouraged. Rejects logins with
 * two-factor authentication, because the password alone is not enough.
 */
import { authenticateLogin, type PasswordDeps } from '../../identity/accounts/authenticate-login.ts'
import { rememberNetwork } from '../../identity/accounts/known-networks.ts'
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
      const { accountId, loginId, originalStatuses, isSignatureRequired, hasSecondFactor, isNetworkFresh } =
        holder
      if (hasSecondFactor)
        throw new ApiError(
          'secondFactorRequired',
          'This login uses two-factor authentication. Send an API key as "X-Api-Key: <key>" instead of the password.',
        )
      if (!isNetworkFresh) await rememberNetwork(deps.db, deps.vault, loginId, ip)
      return { accountId, loginId, kind, originalStatuses, isSignatureRequired, scopes: ['all'] }
    },
  }
}
