import { z } from 'zod'
import { pendingEmail } from '../../../identity/accounts/email-verifications.ts'
import { Refusal } from '../../../model/errors.ts'
import { personOperation } from '../../operation.ts'
import { sendVerification } from './send-verification.ts'

export const resendVerification = personOperation({
  id: 'resendEmailVerification',
  group: 'Account',
  summary: 'Send the link to confirm an email again',
  description:
    'To the email of your login that is not confirmed yet. Links that were sent before stay valid.',
  params: z.object({}),
  answer: z.object({}),
  failures: ['crossSite', 'notFound', 'noMail'],
  async handle(parts, { person, origin }) {
    const email = await pendingEmail(parts.db, person.loginId)
    if (email === undefined) throw new Refusal('notFound', 'No email waits to be confirmed. Enter it again.')
    await sendVerification(parts, person.loginId, email, origin)
    return {}
  },
})
