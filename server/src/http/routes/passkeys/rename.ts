import { z } from 'zod'
import { renamePasskey } from '../../../identity/passkeys/passkeys.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { name, pathId } from '../fields.ts'
import { passkeyResponse, presentPasskey } from './present.ts'

export const renamePasskeyOperation = sessionOperation({
  id: 'renamePasskey',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Rename passkey',
  description: 'Renames a passkey of your login.',
  params: z.object({ id: pathId('Id of the passkey.'), name }),
  response: z.object({ passkey: passkeyResponse }),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    const renamed = await db
      .transaction()
      .execute((trx) => renamePasskey(trx, { loginId: user.loginId, passkeyId: input.id, name: input.name }))
    return { passkey: presentPasskey(renamed) }
  },
})
