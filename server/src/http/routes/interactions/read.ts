import { z } from 'zod'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { shownApp } from '../../../identity/oauth/apps.ts'
import { letsIn } from '../../../identity/oauth/authorizations.ts'
import { grantDays } from '../../../identity/oauth/lifetimes.ts'
import { scopes } from '../../../model/caller.ts'
import { hostOf } from '../../oauth/host-of.ts'
import { findInteraction } from '../../oauth/interaction.ts'
import { openOperation } from '../../operation.ts'
import { interactionId } from './params.ts'

export const readInteraction = openOperation({
  id: 'readInteraction',
  group: 'Apps',
  summary: 'What an app asks for',
  description: 'For the page that asks a person, in the browser that the app sent here.',
  params: z.object({ id: interactionId }),
  answer: z.object({
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
      scopes: z.array(z.object({ scope: z.string(), words: z.string() })),
      lasts_days: z.int(),
      login_alias: z.string().nullable(),
      had_access: z.boolean(),
    }),
  }),
  failures: ['notFound'],
  async handle({ db, oauth }, { input: { id }, person, origin }) {
    const asked = await findInteraction(oauth, id, origin.headers)
    const app = await shownApp(db, asked.appId)
    return {
      interaction: {
        id,
        needs: person === undefined ? ('sign-in' as const) : ('consent' as const),
        app: {
          id: asked.appId,
          name: app.name,
          publisher: app.publisher,
          created_at: app.createdAt.toISOString(),
          is_public: app.isPublic,
        },
        redirect_host: hostOf(asked.redirectUri),
        scopes: asked.scopes.map((scope) => ({ scope, words: scopes[scope] })),
        lasts_days: grantDays,
        login_alias: person === undefined ? null : (await loginOverview(db, person.loginId)).login.alias,
        had_access: person !== undefined && (await letsIn(db, person.accountId, asked.appId)),
      },
    }
  },
})
