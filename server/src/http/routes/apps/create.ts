import { z } from 'zod'
import { createApp as create } from '../../../identity/oauth/apps.ts'
import { personOperation } from '../../operation.ts'
import { appAnswer, appName, ownerOf, presentApp, redirectUris } from './present.ts'

export const createApp = personOperation({
  id: 'createApp',
  group: 'Apps',
  summary: 'Register an app',
  description: 'The answer has the secret of an app that is not public. It is shown this once.',
  params: z.object({
    name: appName,
    is_public: z.boolean('must be true or false'),
    redirect_uris: redirectUris,
  }),
  answer: z.object({ app: appAnswer, secret: z.string().nullable() }),
  failures: ['parameterInvalid', 'tooManyApps'],
  async handle({ db, vault, baseUrl }, { person, input }) {
    const wanted = { name: input.name, isPublic: input.is_public, redirectUris: input.redirect_uris }
    const { app, secret } = await create(db, vault, ownerOf(person), wanted, baseUrl.host)
    return { app: presentApp(app), secret }
  },
})
