import { z } from 'zod'
import { revokeKey } from '../../../identity/keys/revoke-key.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { id } from '../fields.ts'
import { requireOwn } from '../require-own.ts'

export const revokeKeyOperation = sessionOperation({
  id: 'revokeKey',
  group: 'API keys',
  role: 'developer',
  summary: 'Revoke an API key',
  description: 'Revokes an API key of your account permanently and immediately.',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    await requireOwn(db, user, `key:${input.id}`)
    if (!(await revokeKey(db, `login:${user.loginId}`, input.id, user.accountId)))
      throw new ApiError('notFound', `API key ${input.id} not found or already revoked.`)
    return {}
  },
})
