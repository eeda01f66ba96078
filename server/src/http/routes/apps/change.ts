import { z } from 'zod'
import { changeApp as change } from '../../../identity/oauth/apps.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { appResponse, appId, appName, publisherOf, presentApp, redirectUris } from './present.ts'
import { requireOwn } from '../require-own.ts'

export const changeAppOperation = sessionOperation({
  id: 'changeApp',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'Update OAuth app',
  description: 'Changes the name, the redirect URIs or both. Omitted parameters keep their values.',
  params: z.object({ id: appId, name: appName.optional(), redirect_uris: redirectUris.optional() }),
  response: z.object({ app: appResponse }),
  errors: ['parameterInvalid', 'notFound'],
  async handle({ db, baseUrl }, { user, input }) {
    await requireOwn(db, user, `app:${input.id}`)
    const requested = { name: input.name, redirectUris: input.redirect_uris }
    const app = await change(db, publisherOf(user), input.id, requested, baseUrl.host)
    return { app: presentApp(app, true) }
  },
})
