import { z } from 'zod'
import { creationOptions } from '../../../identity/passkeys/options.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { creationOptionsResponse } from './present.ts'

export const startPasskeyOperation = sessionOperation({
  id: 'startPasskey',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Start adding a passkey',
  description:
    'Returns the options for `navigator.credentials.create()`. Requires the password or another passkey. Send the response of the authenticator to `POST /api/passkeys` in this session.',
  params: z.object(confirmation),
  response: z.object({ options: creationOptionsResponse }),
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey'],
  async handle(deps, { input, user, origin }) {
    await requireConfirmation(deps, user, input, origin)
    return { options: await creationOptions(deps, { sessionId: user.id, loginId: user.loginId }) }
  },
})
