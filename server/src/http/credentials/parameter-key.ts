/**
 * Parameter `p` = <API key>, deprecated. `u` may stand beside it and then means nothing: a `p` that has the shape of
 * an API key is one.
 */
import { isToken } from '../../identity/keys/token.ts'
import type { Params } from '../params.ts'
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
    verify: (presented, ip) => verifyKey(kind, presented.secret, ip),
  }
}
