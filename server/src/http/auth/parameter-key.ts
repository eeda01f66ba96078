/**
 * Parameter `p` = <API key>, deprecated. A `p` in the format of an API key is always treated as one, and `u` is ignored.
 */
import { isToken } from '../../identity/keys/token.ts'
import { ApiError } from '../../model/errors.ts'
import type { Params } from '../operation/contract-params.ts'
import type { Credential } from './credential.ts'
import type { VerifyKey } from './verify-key.ts'

export function holdsKey(params: Params): boolean {
  return params.p !== undefined && (params.u === undefined || isToken(params.p, 'hlk'))
}

export function parameterKey(verifyKey: VerifyKey): Credential {
  const kind = 'parameter-key'
  return {
    kind,
    find: ({ params }) => (params.p !== undefined && holdsKey(params) ? [{ kind, secret: params.p }] : []),
    async verify({ secret }, ip) {
      if (!secret.startsWith('hlk_'))
        throw new ApiError(
          'authenticationFailed',
          'The parameter "p" is not an API key. To send a password, also send the login as "u".',
        )
      return verifyKey(kind, secret, ip)
    },
  }
}
