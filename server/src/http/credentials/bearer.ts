/**
 * `Authorization: Bearer <access token>`, for apps a customer has authorized. No app can be registered yet, so there is
 * no valid token; the kind has its place, its own refusal and its own switch.
 */
import { isToken } from '../../identity/keys/token.ts'
import { Refusal } from '../../model/errors.ts'
import { authorizationSecrets, type Credential } from './credential.ts'

export function bearer(): Credential {
  const kind = 'bearer'
  return {
    kind,
    find: (source) => authorizationSecrets(source, 'bearer').map((secret) => ({ kind, secret })),
    async verify({ secret }) {
      const message = isToken(secret, 'hlk')
        ? 'This is an API key, not an access token: send it as "X-Api-Key: <key>".'
        : 'The access token is not valid.'
      throw new Refusal('authenticationFailed', message, {
        headers: { 'www-authenticate': 'Bearer realm="hookline", error="invalid_token"' },
      })
    },
  }
}
