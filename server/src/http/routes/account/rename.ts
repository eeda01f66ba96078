import { z } from 'zod'
import { renameAccount } from '../../../identity/accounts/accounts.ts'
import { personOperation } from '../../operation.ts'
import { name } from '../fields.ts'

export const renameOwnAccount = personOperation({
  id: 'renameAccount',
  group: 'Account',
  summary: 'Rename the account',
  description: 'Changes the name that people see.',
  params: z.object({ name }),
  answer: z.object({}),
  failures: ['crossSite'],
  async handle({ db }, { input, person }) {
    await renameAccount(db, `login:${person.loginId}`, person.accountId, input.name)
    return {}
  },
})
