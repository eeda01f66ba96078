import { z } from 'zod'
import { revokeAuthorization } from '../../../identity/oauth/revoke-grant.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const revokeAuthorizationOperation = sessionOperation({
  id: 'revokeAuthorization',
  group: 'OAuth apps',
  summary: 'Revoke authorization',
  description: 'Immediately revokes all tokens of the app for your account.',
  params: z.object({ id: z.string().meta({ description: 'Client ID of the app.' }) }),
  response: z.object({}),
  errors: ['notFound'],
  async handle({ db }, { user, input }) {
    if (!(await revokeAuthorization(db, `login:${user.loginId}`, user.accountId, input.id)))
      throw new ApiError('notFound', 'Authorization not found.')
    return {}
  },
})
