import { z } from 'zod'
import { changeApp as change } from '../../../identity/oauth/apps.ts'
import { personOperation } from '../../operation.ts'
import { appAnswer, appId, appName, ownerOf, presentApp, redirectUris } from './present.ts'

export const changeApp = personOperation({
  id: 'changeApp',
  group: 'Apps',
  summary: 'Change an app',
  description: 'Its name, its addresses or both. What is left out stays.',
  params: z.object({ id: appId, name: appName.optional(), redirect_uris: redirectUris.optional() }),
  answer: z.object({ app: appAnswer }),
  failures: ['parameterInvalid', 'notFound'],
  async handle({ db, baseUrl }, { person, input }) {
    const wanted = { name: input.name, redirectUris: input.redirect_uris }
    return { app: presentApp(await change(db, ownerOf(person), input.id, wanted, baseUrl.host)) }
  },
})
