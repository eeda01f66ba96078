import { z } from 'zod'
import { createFirstCodes } from '../../../identity/accounts/recovery-codes.ts'
import { spendChallenge } from '../../../identity/passkeys/challenges.ts'
import { checkRegistration, invalidRegistration } from '../../../identity/passkeys/check-registration.ts'
import { addPasskey } from '../../../identity/passkeys/passkeys.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { name } from '../fields.ts'
import { registration } from './params.ts'
import { passkeyResponse, presentPasskey } from './present.ts'

export const addPasskeyOperation = sessionOperation({
  id: 'addPasskey',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Add passkey',
  description:
    'Adds a passkey with the response of an authenticator to the options of `POST /api/passkeys/options`. Sign-in is then possible with the passkey alone, and the password alone is no longer enough, also as a credential of the API. A login can have 20 passkeys.',
  params: z.object({ name, registration }),
  response: z.object({
    passkey: passkeyResponse,
    recovery_codes: z.array(z.string()).meta({
      description:
        'Ten recovery codes, if the login had no two-factor authentication before. Each works once. They are not shown again.',
    }),
  }),
  errors: ['csrfFailed', 'invalidPasskey', 'tooManyPasskeys'],
  async handle(deps, { input, user }) {
    const { db, vault } = deps
    const { passkey, challenge } = await checkRegistration(deps, input.registration, user.id)
    return db.transaction().execute(async (trx) => {
      if (!(await spendChallenge(trx, challenge))) throw invalidRegistration()
      const recoveryCodes = await createFirstCodes(trx, vault, user.loginId)
      const added = await addPasskey(trx, user.loginId, { ...passkey, name: input.name })
      return { passkey: presentPasskey(added), recovery_codes: recoveryCodes }
    })
  },
})
