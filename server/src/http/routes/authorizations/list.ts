import { z } from 'zod'
import { type Authorization, listAuthorizations as list } from '../../../identity/oauth/authorizations.ts'
import { personOperation } from '../../operation.ts'
import { hostOf } from '../../oauth/host-of.ts'

const authorizationAnswer = z.object({
  app: z.object({
    id: z.string(),
    name: z.string(),
    publisher: z.string(),
    hosts: z.array(z.string()).meta({ description: 'Where the app sends people.' }),
  }),
  scopes: z.array(z.string()),
  granted_by: z.string().meta({ description: 'The alias of the login that agreed last.' }),
  granted_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
})

export const listAuthorizations = personOperation({
  id: 'listAuthorizations',
  group: 'Apps',
  summary: 'List apps with access',
  description: 'The apps that your account lets in, those agreed to last first.',
  params: z.object({}),
  answer: z.object({ authorizations: z.array(authorizationAnswer) }),
  failures: [],
  async handle({ db }, { person }) {
    return { authorizations: (await list(db, person.accountId)).map(present) }
  },
})

function present(one: Authorization): z.infer<typeof authorizationAnswer> {
  return {
    app: {
      id: one.appId,
      name: one.appName,
      publisher: one.publisher,
      hosts: [...new Set(one.redirectUris.map(hostOf))],
    },
    scopes: one.scopes,
    granted_by: one.grantedBy,
    granted_at: one.grantedAt.toISOString(),
    expires_at: one.expiresAt.toISOString(),
    last_used_at: one.lastUsedAt?.toISOString() ?? null,
  }
}
