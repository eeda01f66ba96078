/** Provides apps to the authorization server as its clients. */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import { cliAppId, createCliApp } from './cli-app.ts'
import { unused } from './unused.ts'

export function clientAdapter(db: Database): Adapter {
  return {
    ...unused,
    /** Queried for every request, so that deletion and secret rotation take effect immediately. */
    async find(id) {
      const app = await findApp(db, id)
      if (app !== undefined || id !== cliAppId) return app && toClient(app)
      await createCliApp(db)
      const created = await findApp(db, id)
      return created && toClient(created)
    },
  }
}

function findApp(db: Database, id: string): Promise<StoredApp | undefined> {
  return db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.accountId')
    .select(['apps.id', 'apps.isPublic', 'apps.redirectUris', 'apps.secretDigest', 'apps.pkceRequired'])
    .where('apps.id', '=', id)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
}

interface StoredApp {
  id: string
  isPublic: boolean
  redirectUris: string[]
  secretDigest: Buffer | null
  pkceRequired: boolean
}

function toClient(app: StoredApp): AdapterPayload {
  return {
    client_id: app.id,
    redirect_uris: app.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Native clients can use any port of a loopback address, because free ports vary (RFC 8252, 7.3).
    application_type: app.isPublic ? 'native' : 'web',
    pkce_required: app.pkceRequired,
    token_endpoint_auth_method: app.isPublic ? 'none' : 'client_secret_basic',
    // The digest of the secret, because the secret is not stored. `provider.ts` compares digests.
    ...(app.secretDigest && { client_secret: app.secretDigest.toString('hex') }),
  }
}
