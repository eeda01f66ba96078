import { z } from 'zod'
import { requestOptions } from '../../../identity/passkeys/options.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { requestOptionsResponse } from '../passkeys/present.ts'

export const startConfirmationOperation = sessionOperation({
  id: 'startConfirmation',
  group: 'Authentication',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Start confirmation with a passkey',
  description:
    'Returns the options for `navigator.credentials.get()`. The response of the authenticator is valid as `passkey` of one call in this session.',
  params: z.object({}),
  response: z.object({ options: requestOptionsResponse }),
  errors: ['csrfFailed', 'notFound'],
  async handle(deps, { user }) {
    const options = await requestOptions(deps, { kind: 'confirm', sessionId: user.id }, user.loginId)
    if (options.allowCredentials.length === 0)
      throw new ApiError('notFound', 'You have no passkeys. Use your password.')
    return { options }
  },
})
