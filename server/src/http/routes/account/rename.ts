import { z } from 'zod'
import { renameAccount } from '../../../identity/accounts/accounts.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { name } from '../fields.ts'

export const renameAccountOperation = sessionOperation({
  id: 'renameAccount',
  group: 'Account',
  role: 'admin',
  summary: 'Rename account',
  description: 'Changes the display name of the account.',
  params: z.object({ name }),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db }, { input, user }) {
    await renameAccount(db, `login:${user.loginId}`, user.accountId, input.name)
    return {}
  },
})
