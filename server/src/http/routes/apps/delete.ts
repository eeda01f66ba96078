import { z } from 'zod'
import { deleteApp as remove } from '../../../identity/oauth/apps.ts'
import { personOperation } from '../../operation.ts'
import { appId, ownerOf } from './present.ts'

export const deleteApp = personOperation({
  id: 'deleteApp',
  group: 'Apps',
  summary: 'Delete an app',
  description: 'All access that anybody gave it ends at once.',
  params: z.object({ id: appId }),
  answer: z.object({}),
  failures: ['notFound'],
  async handle({ db }, { person, input }) {
    await remove(db, ownerOf(person), input.id)
    return {}
  },
})
