import { z } from 'zod'
import { confirmEmail } from '../../../identity/accounts/email-verifications.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const confirmEmailOperation = sessionOperation({
  id: 'confirmEmail',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Confirm email',
  description:
    'Sets the email that the link was sent to as the email of your login. The link works only for the login that requested it. Hookline notifies the old email.',
  params: z.object({
    token: z.string({ error: 'must be a string' }).meta({ description: 'Token from the link in the email.' }),
  }),
  response: z.object({}),
  errors: ['csrfFailed', 'invalidResetLink'],
  async handle({ db, vault }, { input, user }) {
    const { loginId } = user
    const { token } = input
    await confirmEmail(db, vault, { loginId, token, actor: `login:${loginId}` })
    return {}
  },
})
