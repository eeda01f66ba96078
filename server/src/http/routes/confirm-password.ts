import { confirmPassword } from '../../identity/accounts/authenticate-login.ts'
import type { ApiDeps, Origin, SessionUser } from '../operation/operation.ts'

/** Requires the password before a sensitive operation, because the browser may be unattended. */
export function requirePassword(
  deps: ApiDeps,
  { loginId }: SessionUser,
  password: string,
  { ip }: Origin,
): Promise<void> {
  return confirmPassword(deps, { loginId, password, ip })
}
