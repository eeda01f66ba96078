import { z } from 'zod'
import { listPasskeys } from '../../../identity/passkeys/passkeys.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { passkeyResponse, presentPasskey } from './present.ts'

export const listPasskeysOperation = sessionOperation({
  id: 'listPasskeys',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'List passkeys',
  description: 'Lists the passkeys of your login, oldest first.',
  params: z.object({}),
  response: z.object({ passkeys: z.array(passkeyResponse) }),
  errors: [],
  async handle({ db }, { user }) {
    return { passkeys: (await listPasskeys(db, user.loginId)).map(presentPasskey) }
  },
})
