import { z } from 'zod'
import { confirmSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const confirmSecondFactorOperation = sessionOperation({
  id: 'confirmSecondFactor',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Enable authenticator app',
  description:
    'Sign-in with the password then also requires a code or a passkey. The API no longer accepts the password as a credential.',
  params: z.object({
    code: z.string({ error: 'must be a string' }).meta({ description: 'Code of the authenticator app.' }),
  }),
  response: z.object({
    recovery_codes: z.array(z.string()).meta({
      description:
        'Ten recovery codes, if the login had no two-factor authentication before. Each works once. They are not shown again.',
    }),
  }),
  errors: ['csrfFailed', 'invalidSecondFactor', 'notFound'],
  async handle(deps, { input, user }) {
    const { loginId } = user
    const recoveryCodes = await confirmSecondFactor(deps, {
      loginId,
      code: input.code,
      nowMs: deps.clock.now(),
    })
    return { recovery_codes: recoveryCodes }
  },
})
