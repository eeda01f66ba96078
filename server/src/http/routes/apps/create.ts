import { z } from 'zod'
import { createOAuthApp as create } from '../../../identity/oauth/apps.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { appResponse, appName, publisherOf, presentApp, redirectUris } from './present.ts'

export const createAppOperation = sessionOperation({
  id: 'createApp',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'Create OAuth app',
  description:
    'Creates an OAuth app. For a confidential app the response contains the client secret, which is shown only once.',
  params: z.object({
    name: appName,
    is_public: z.boolean('must be true or false'),
    redirect_uris: redirectUris,
  }),
  response: z.object({ app: appResponse, secret: z.string().nullable() }),
  errors: ['parameterInvalid', 'tooManyApps'],
  takesIdempotencyKey: true,
  async handle({ db, vault, baseUrl }, { user, input }) {
    const requested = { name: input.name, isPublic: input.is_public, redirectUris: input.redirect_uris }
    const { app, secret } = await create(db, vault, publisherOf(user), requested, baseUrl.host)
    return { app: presentApp(app, true), secret }
  },
})
