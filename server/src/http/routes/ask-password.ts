import { confirmPassword } from '../../identity/accounts/authenticate-login.ts'
import type { ApiParts, Origin, Person } from '../operation.ts'

/** Before what a thief of an open browser must not do. */
export function askPassword(
  parts: ApiParts,
  { loginId }: Person,
  password: string,
  { ip }: Origin,
): Promise<void> {
  return confirmPassword(parts, { loginId, password, ip })
}
