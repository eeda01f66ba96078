import { z } from 'zod'
import { revokeAuthorization } from '../../../identity/oauth/revoke-grant.ts'
import { ApiError } from '../../../model/errors.ts'
import { includesRole } from '../../../model/role.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const revokeAuthorizationOperation = sessionOperation({
  id: 'revokeAuthorization',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'Revoke authorization',
  description:
    'Immediately revokes all tokens of the app for your account. Developers revoke only their own authorizations.',
  params: z.object({ id: z.string().meta({ description: 'Client ID of the app.' }) }),
  response: z.object({}),
  errors: ['notFound'],
  async handle({ db }, { user, input }) {
    const { accountId, loginId } = user
    const by = includesRole(user.member.role, 'admin') ? { accountId } : { accountId, loginId }
    if (!(await revokeAuthorization(db, `login:${loginId}`, by, input.id)))
      throw new ApiError('notFound', 'Authorization not found.')
    return {}
  },
})
