/**
 * Parameters `u` = <login alias or e-mail> and `p` = <password>, deprecated and strongly discouraged. A login with a second
 * factor cannot be used this way: its password alone lets nobody in.
 */
import { authenticateLogin, type PasswordParts } from '../../identity/accounts/authenticate-login.ts'
import { rememberNetwork } from '../../identity/accounts/known-networks.ts'
import { Refusal } from '../../model/errors.ts'
import type { Credential } from './credential.ts'
import { holdsKey } from './parameter-key.ts'

export function loginPassword(parts: PasswordParts): Credential {
  const kind = 'login-password'
  return {
    kind,
    find: ({ params }) =>
      params.u !== undefined && params.p !== undefined && !holdsKey(params)
        ? [{ kind, login: params.u, secret: params.p }]
        : [],
    async verify({ login = '', secret }, ip) {
      const holder = await authenticateLogin(parts, { login, password: secret, ip })
      const { accountId, loginId, hasSecondFactor, isNetworkFresh } = holder
      if (hasSecondFactor)
        throw new Refusal(
          'secondFactorNeeded',
          'This login has a second factor, so its password alone is no credential. Send an API key as "X-Api-Key: <key>".',
        )
      if (!isNetworkFresh) await rememberNetwork(parts.db, parts.vault, loginId, ip)
      return { accountId, loginId, kind, scopes: ['all'] }
    },
  }
}
