/** `Authorization: Bearer <access token>`, for authorized OAuth apps. Tokens in a query or body are not accepted. */
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
        throw invalidToken('This is an API key, not an access token. Send it as "X-Api-Key: <key>".')
      return { ...(await authenticateToken(db, vault, secret)), kind }
    },
  }
}
