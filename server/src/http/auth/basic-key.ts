/** `Authorization: basic <API key>`: the key itself without Base64, as the contract defines. */
import { isToken } from '../../identity/keys/token.ts'
import { ApiError } from '../../model/errors.ts'
import { authorizationSecrets, type Credential } from './credential.ts'
import type { VerifyKey } from './verify-key.ts'

export function basicKey(verifyKey: VerifyKey): Credential {
  const kind = 'basic-key'
  return {
    kind,
    find: (source) => authorizationSecrets(source, 'basic').map((secret) => ({ kind, secret })),
    async verify({ secret }, ip) {
      if (isEncodedKey(secret))
        throw new ApiError(
          'authenticationFailed',
          'The API key is Base64-encoded. Send the key itself: "Authorization: Basic <API key>".',
        )
      return verifyKey(kind, secret, ip)
    },
  }
}

/** Many HTTP libraries encode `key:` or `:key` for Basic authentication. */
function isEncodedKey(secret: string): boolean {
  return Buffer.from(secret, 'base64')
    .toString('latin1')
    .split(':')
    .some((part) => isToken(part, 'hlk'))
}
