/**
 * Parameter `p` = <API key>, deprecated. A `p` in the format of an API key is always treated as one, and `u` is ignored.
 * An imported key has another format: beside `u` only a lookup can tell it from a password.
 */
import { UnknownKey } from '../../identity/keys/authenticate-key.ts'
import { isToken } from '../../identity/keys/token.ts'
import { ApiError } from '../../model/errors.ts'
import type { Params } from '../operation/contract-params.ts'
import type { Credential, CredentialSource } from './credential.ts'
import type { VerifyKey } from './verify-key.ts'

export function holdsKey(params: Params): boolean {
  return params.p !== undefined && (params.u === undefined || isToken(params.p, 'hlk'))
}

/** Returns the source as if `p` were a key, without `u`; undefined unless `p` may be a key or a password. */
export function withoutLogin(source: CredentialSource): CredentialSource | undefined {
  const { u, ...params } = source.params
  return u === undefined || params.p === undefined || holdsKey(source.params)
    ? undefined
    : { ...source, params }
}

export function parameterKey(verifyKey: VerifyKey): Credential {
  const kind = 'parameter-key'
  return {
    kind,
    find: ({ params }) => (params.p !== undefined && holdsKey(params) ? [{ kind, secret: params.p }] : []),
    async verify({ secret }, ip) {
      try {
        return await verifyKey(kind, secret, ip)
      } catch (error) {
        if (!(error instanceof UnknownKey) || secret.startsWith('hlk_')) throw error
        throw new ApiError(
          'authenticationFailed',
          'The parameter "p" is not an API key. To send a password, also send the login as "u".',
        )
      }
    },
  }
}
