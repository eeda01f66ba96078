import { z } from 'zod'
import { listApps as list } from '../../../identity/oauth/apps.ts'
import { personOperation } from '../../operation.ts'
import { appAnswer, presentApp } from './present.ts'

export const listApps = personOperation({
  id: 'listApps',
  group: 'Apps',
  summary: 'List your apps',
  description: 'The apps that your account publishes, newest first.',
  params: z.object({}),
  answer: z.object({ apps: z.array(appAnswer) }),
  failures: [],
  async handle({ db }, { person }) {
    return { apps: (await list(db, person.accountId)).map(presentApp) }
  },
})
