import { z } from 'zod'
import { type Authorization, listAuthorizations as list } from '../../../identity/oauth/authorizations.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { hostOf } from '../../oauth/host-of.ts'

const authorizationResponse = z.object({
  app: z.object({
    id: z.string(),
    name: z.string(),
    publisher: z.string(),
    hosts: z.array(z.string()).meta({ description: 'Hosts of the redirect URIs.' }),
  }),
  scopes: z.array(z.string()),
  granted_by: z.string().meta({ description: 'Alias of the login that gave the latest consent.' }),
  granted_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
})

export const listAuthorizationsOperation = sessionOperation({
  id: 'listAuthorizations',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'List authorizations',
  description: 'Lists the OAuth apps that your account authorizes, latest consent first.',
  params: z.object({}),
  response: z.object({ authorizations: z.array(authorizationResponse) }),
  errors: [],
  async handle({ db }, { user }) {
    return { authorizations: (await list(db, user.accountId)).map(present) }
  },
})

function present(authorization: Authorization): z.infer<typeof authorizationResponse> {
  return {
    app: {
      id: authorization.appId,
      name: authorization.appName,
      publisher: authorization.publisher,
      hosts: [...new Set(authorization.redirectUris.map(hostOf))],
    },
    scopes: authorization.scopes,
    granted_by: authorization.grantedBy,
    granted_at: authorization.grantedAt.toISOString(),
    expires_at: authorization.expiresAt.toISOString(),
    last_used_at: authorization.lastUsedAt?.toISOString() ?? null,
  }
}
