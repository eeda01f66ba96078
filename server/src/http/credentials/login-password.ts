/** Parameters `u` = <login alias or e-mail> and `p` = <password>, deprecated and strongly discouraged. */
import { authenticateLogin } from '../../identity/accounts/authenticate-login.ts'
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import type { Passwords } from '../../identity/accounts/passwords.ts'
import type { Database } from '../../db/database.ts'
import type { Credential } from './credential.ts'
import { holdsKey } from './parameter-key.ts'

export function loginPassword(db: Database, passwords: Passwords, throttle: LoginThrottle): Credential {
  const kind = 'login-password'
  return {
    kind,
    find: ({ params }) =>
      params.u !== undefined && params.p !== undefined && !holdsKey(params)
        ? [{ kind, login: params.u, secret: params.p }]
        : [],
    async verify({ login = '', secret }, ip) {
      const holder = await authenticateLogin(db, passwords, throttle, { login, password: secret, ip })
      return { ...holder, kind, scopes: ['all'] }
    },
  }
}
