import { z } from 'zod'
import { keepBreakGlassOf } from '../../../db/break-glass.ts'
import { deleteLastCodes } from '../../../identity/accounts/recovery-codes.ts'
import { removePasskey } from '../../../identity/passkeys/passkeys.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { pathId } from '../fields.ts'

export const removePasskeyOperation = sessionOperation({
  id: 'removePasskey',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Remove passkey',
  description:
    'Removes a passkey of your login. Requires the password or a passkey. Without an authenticator app, the removal of the last passkey turns off two-factor authentication, and recovery codes become invalid. Sessions stay.',
  params: z.object({ id: pathId('Id of the passkey.'), ...confirmation }),
  response: z.object({}),
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'notFound', 'lastBreakGlass'],
  async handle(deps, { input, user, origin }) {
    const { loginId } = user
    await requireConfirmation(deps, user, input, origin)
    await deps.db.transaction().execute(async (trx) => {
      await removePasskey(trx, { loginId, passkeyId: input.id })
      await deleteLastCodes(trx, loginId)
      await keepBreakGlassOf(trx, loginId)
    })
    return {}
  },
})
