import { z } from 'zod'
import { deleteApp as remove } from '../../../identity/oauth/apps.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { appId, publisherOf } from './present.ts'
import { requireOwn } from '../require-own.ts'

export const deleteAppOperation = sessionOperation({
  id: 'deleteApp',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'Delete OAuth app',
  description: 'Deletes the app and immediately revokes all its authorizations.',
  params: z.object({ id: appId }),
  response: z.object({}),
  errors: ['notFound'],
  async handle({ db }, { user, input }) {
    await requireOwn(db, user, `app:${input.id}`)
    await remove(db, publisherOf(user), input.id)
    return {}
  },
})
