import { z } from 'zod'
import { keepBreakGlassOf } from '../../../db/break-glass.ts'
import { deleteLastCodes } from '../../../identity/accounts/recovery-codes.ts'
import { removeAuthenticatorApp } from '../../../identity/accounts/second-factor.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'

export const removeSecondFactorOperation = sessionOperation({
  id: 'removeSecondFactor',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Remove authenticator app',
  description:
    'Requires the password or a passkey. Without passkeys, two-factor authentication is then off, and recovery codes become invalid.',
  params: z.object(confirmation),
  response: z.object({}),
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'notFound', 'lastBreakGlass'],
  async handle(deps, { input, user, origin }) {
    const { loginId } = user
    await requireConfirmation(deps, user, input, origin)
    await deps.db.transaction().execute(async (trx) => {
      if (!(await removeAuthenticatorApp(trx, `login:${loginId}`, loginId)))
        throw new ApiError('notFound', 'No authenticator app is set up.')
      await deleteLastCodes(trx, loginId)
      await keepBreakGlassOf(trx, loginId)
    })
    return {}
  },
})
