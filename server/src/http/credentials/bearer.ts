/** `Authorization: Bearer <access token>`, for apps that a customer has let in. Only there: never in an address or a body. */
import type { Database } from '../../db/database.ts'
import { isToken } from '../../identity/keys/token.ts'
import { authenticateToken, invalidToken } from '../../identity/oauth/authenticate-token.ts'
import type { Vault } from '../../vault/vault.ts'
import { authorizationSecrets, type Credential } from './credential.ts'

export function bearer(db: Database, vault: Vault): Credential {
  const kind = 'bearer'
  return {
    kind,
    find: (source) => authorizationSecrets(source, 'bearer').map((secret) => ({ kind, secret })),
    async verify({ secret }) {
      if (isToken(secret, 'hlk'))
        throw invalidToken('This is an API key, not an access token: send it as "X-Api-Key: <key>".')
      return { ...(await authenticateToken(db, vault, secret)), kind }
    },
  }
}
