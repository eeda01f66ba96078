/** Apps as the authorization server sees them: its clients. */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import { unused } from './unused.ts'

export function clientAdapter(db: Database): Adapter {
  return {
    ...unused,
    /** Asked at every request: a deleted app or a new secret counts at once. */
    async find(id) {
      const app = await db
        .selectFrom('apps')
        .innerJoin('accounts', 'accounts.id', 'apps.accountId')
        .select(['apps.id', 'apps.isPublic', 'apps.redirectUris', 'apps.secretDigest'])
        .where('apps.id', '=', id)
        .where('accounts.suspendedAt', 'is', null)
        .executeTakeFirst()
      return app && clientOf(app)
    },
  }
}

interface StoredApp {
  id: string
  isPublic: boolean
  redirectUris: string[]
  secretDigest: Buffer | null
}

function clientOf(app: StoredApp): AdapterPayload {
  return {
    client_id: app.id,
    redirect_uris: app.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Native: any port of a loopback address, as an app cannot know beforehand which one is free (RFC 8252, 7.3).
    application_type: app.isPublic ? 'native' : 'web',
    token_endpoint_auth_method: app.isPublic ? 'none' : 'client_secret_basic',
    // Not the secret, which is not kept, but its digest: `provider.ts` compares digests.
    ...(app.secretDigest && { client_secret: app.secretDigest.toString('hex') }),
  }
}
