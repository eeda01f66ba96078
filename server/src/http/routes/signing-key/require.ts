import { z } from 'zod'
import { setSignedCallsRequired } from '../../../identity/accounts/accounts.ts'
import { sessionOperation } from '../../operation/operation.ts'

/** For signed-in users only: a stolen API key must not turn the requirement off. */
export const requireSignedCallsOperation = sessionOperation({
  id: 'requireSignedCalls',
  group: 'Signing key',
  role: 'admin',
  summary: 'Require signed calls',
  description:
    'Sets whether every call with an API credential must be signed: API key, access token, or login and password.',
  params: z.object({ signed_calls_required: z.boolean({ error: 'must be true or false' }) }),
  response: z.object({ signed_calls_required: z.boolean() }),
  errors: ['csrfFailed', 'tooManyChanges'],
  async handle({ db }, { input, user }) {
    const isRequired = input.signed_calls_required
    await setSignedCallsRequired(db, `login:${user.loginId}`, user.accountId, isRequired)
    return { signed_calls_required: isRequired }
  },
})
