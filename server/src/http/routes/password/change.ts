import { z } from 'zod'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { validatePassword, writePassword } from '../../../identity/accounts/logins.ts'
import { revokeSessions } from '../../../identity/sessions/sessions.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { password } from '../fields.ts'
import { createBrowserSession, presentNewSession } from '../sessions/start.ts'
import { sessionResponse } from '../sessions/present.ts'

export const changePasswordOperation = sessionOperation({
  id: 'changePassword',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Change password',
  description:
    'Requires the current password or a passkey. Revokes all sessions of your login and starts a new session for this browser. The response sets a new cookie, and further calls need the new `csrf_token`.',
  params: z.object({
    current_password: password.optional().meta({ description: 'Required without `passkey`.' }),
    passkey: confirmation.passkey,
    new_password: password,
  }),
  response: sessionResponse,
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey'],
  async handle(deps, { input, user, origin }) {
    const { db, passwords } = deps
    const { accountId, loginId } = user
    validatePassword(input.new_password)
    const { current_password: current, passkey } = input
    await requireConfirmation(deps, user, { password: current, passkey }, origin, 'current_password')
    const passwordHash = await passwords.hash(
      input.new_password,
      hashShare({ kind: 'session', loginId }, origin.ip),
    )
    const session = await db.transaction().execute(async (trx) => {
      await writePassword(trx, `login:${loginId}`, loginId, passwordHash, { ip: origin.ip })
      await revokeSessions(trx, loginId)
      return createBrowserSession(deps, trx, { accountId, loginId, origin })
    })
    return presentNewSession(deps, session)
  },
})
