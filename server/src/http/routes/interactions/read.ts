import { z } from 'zod'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { readConsentApp } from '../../../identity/oauth/apps.ts'
import { isAuthorized } from '../../../identity/oauth/authorizations.ts'
import { grantDays } from '../../../identity/oauth/lifetimes.ts'
import { scopes } from '../../../model/caller.ts'
import { hostOf } from '../../oauth/host-of.ts'
import { findInteraction } from '../../oauth/interaction.ts'
import { publicOperation } from '../../operation/operation.ts'
import { interactionId } from './params.ts'

export const readInteractionOperation = publicOperation({
  id: 'readInteraction',
  group: 'OAuth apps',
  summary: 'Read authorization request',
  description: 'Returns the data of the consent page. Works only in the browser that started the request.',
  params: z.object({ id: interactionId }),
  response: z.object({
    interaction: z.object({
      id: z.string(),
      needs: z.enum(['sign-in', 'consent']),
      app: z.object({
        id: z.string(),
        name: z.string(),
        publisher: z.string(),
        created_at: z.iso.datetime(),
        is_public: z.boolean(),
      }),
      redirect_host: z.string(),
      scopes: z.array(z.object({ scope: z.string(), description: z.string() })),
      lasts_days: z.int(),
      login_alias: z.string().nullable(),
      had_access: z.boolean(),
    }),
  }),
  errors: ['notFound'],
  async handle({ db, oauth }, { input: { id }, user, origin }) {
    const requested = await findInteraction(oauth, id, origin.headers)
    const app = await readConsentApp(db, requested.appId)
    return {
      interaction: {
        id,
        needs: user === undefined ? ('sign-in' as const) : ('consent' as const),
        app: {
          id: requested.appId,
          name: app.name,
          publisher: app.publisher,
          created_at: app.createdAt.toISOString(),
          is_public: app.isPublic,
        },
        redirect_host: hostOf(requested.redirectUri),
        scopes: requested.scopes.map((scope) => ({ scope, description: scopes[scope] })),
        lasts_days: grantDays,
        login_alias: user === undefined ? null : (await loginOverview(db, user.loginId)).alias,
        had_access: user !== undefined && (await isAuthorized(db, user.accountId, requested.appId)),
      },
    }
  },
})
