import { z } from 'zod'
import { readOnboarding } from '../../../stats/onboarding.ts'
import { scopedOperation } from '../../operation/operation.ts'

export const readOnboardingOperation = scopedOperation('hooks:read', {
  id: 'readOnboarding',
  group: 'Account',
  role: 'viewer',
  summary: 'Read first steps',
  description: 'Returns which first steps the account has completed.',
  params: z.object({}),
  response: z.object({
    shown: z.boolean().meta({
      description:
        'Whether the dashboard shows the steps: while the account has no webhook, or is new and has few events, unless they were dismissed.',
    }),
    webhook_created: z.boolean(),
    test_delivered: z.boolean().meta({ description: 'Whether a test event or another event was delivered.' }),
    signature_verified: z.boolean().meta({
      description: 'Set by the user. Hookline cannot know whether a receiver verifies signatures.',
    }),
  }),
  errors: [],
  async handle({ db }, { caller }) {
    const steps = await readOnboarding(db, caller.accountId)
    return {
      shown: steps.isShown,
      webhook_created: steps.hasWebhook,
      test_delivered: steps.isTestDelivered,
      signature_verified: steps.isSignatureVerified,
    }
  },
})
