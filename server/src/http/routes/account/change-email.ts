import { z } from 'zod'
import { judgeEmail } from '../../../identity/accounts/logins.ts'
import { personOperation } from '../../operation.ts'
import { askPassword } from '../ask-password.ts'
import { email, password } from '../fields.ts'
import { sendVerification } from './send-verification.ts'

export const changeEmail = personOperation({
  id: 'changeEmail',
  group: 'Account',
  summary: 'Change the email',
  description:
    'Sends a link to the new email, for whoever gives the password. The old email stays until the link is opened by somebody who is signed in with this login.',
  params: z.object({ email, password }),
  answer: z.object({}),
  failures: ['crossSite', 'passwordWrong', 'noMail'],
  async handle(parts, { input, person, origin }) {
    judgeEmail(input.email)
    await askPassword(parts, person, input.password, origin)
    await parts.throttle.claimEmail(origin.ip)
    await sendVerification(parts, person.loginId, input.email, origin)
    return {}
  },
})
