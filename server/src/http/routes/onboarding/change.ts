import { z } from 'zod'
import { changeOnboarding } from '../../../stats/onboarding.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const changeOnboardingOperation = sessionOperation({
  id: 'changeOnboarding',
  group: 'Account',
  role: 'developer',
  summary: 'Change first steps',
  description: 'Marks the signature step as done, or dismisses the steps for all users of the account.',
  params: z.object({
    signature_verified: z.boolean().optional(),
    dismissed: z.boolean().optional(),
  }),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db }, { input, user }) {
    await changeOnboarding(db, user.accountId, {
      isSignatureVerified: input.signature_verified,
      isDismissed: input.dismissed,
    })
    return {}
  },
})
