import { z } from 'zod'
import { validateEmail } from '../../../identity/accounts/logins.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { email } from '../fields.ts'
import { sendVerification } from './send-verification.ts'

export const changeEmailOperation = sessionOperation({
  id: 'changeEmail',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Change email',
  description:
    'Sends a verification link to the new email. Requires the password or a passkey. The old email stays active until the link is opened in a session of this login.',
  params: z.object({ email, ...confirmation }),
  response: z.object({}),
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'noMail'],
  async handle(deps, { input, user, origin }) {
    validateEmail(input.email)
    await requireConfirmation(deps, user, input, origin)
    await deps.throttle.claimEmail(origin.ip)
    await sendVerification(deps, user.loginId, input.email, origin)
    return {}
  },
})
