import { z } from 'zod'
import { removeSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { requirePassword } from '../confirm-password.ts'
import { password } from '../fields.ts'

export const removeSecondFactorOperation = sessionOperation({
  id: 'removeSecondFactor',
  group: 'Account',
  role: 'viewer',
  summary: 'Disable two-factor authentication',
  description: 'Requires the password. Recovery codes become invalid.',
  params: z.object({ password }),
  response: z.object({}),
  errors: ['csrfFailed', 'wrongPassword', 'notFound'],
  async handle(deps, { input, user, origin }) {
    const { loginId } = user
    await requirePassword(deps, user, input.password, origin)
    if (!(await removeSecondFactor(deps.db, `login:${loginId}`, loginId)))
      throw new ApiError('notFound', 'Two-factor authentication is not enabled.')
    return {}
  },
})
