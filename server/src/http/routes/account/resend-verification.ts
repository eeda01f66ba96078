import { z } from 'zod'
import { pendingEmail } from '../../../identity/accounts/email-verifications.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { sendVerification } from './send-verification.ts'

export const resendEmailVerificationOperation = sessionOperation({
  id: 'resendEmailVerification',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Resend verification email',
  description: 'Sends a new link to the unconfirmed email of your login. Earlier links stay valid.',
  params: z.object({}),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'noMail'],
  async handle(deps, { user, origin }) {
    const email = await pendingEmail(deps.db, user.loginId)
    if (email === undefined) throw new ApiError('notFound', 'No email to confirm. Enter the email again.')
    await sendVerification(deps, user.loginId, email, origin)
    return {}
  },
})
