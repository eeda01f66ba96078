import { z } from 'zod'
import { readOwner } from '../../../identity/oauth/read-owner.ts'
import { tokenOperation } from '../../operation/operation.ts'

export const readMeOperation = tokenOperation({
  id: 'readMe',
  group: 'OAuth',
  summary: 'Read the user of an access token',
  description:
    'Returns the user who authorized the app. Apps call it to test a connection. `balance` is always `0.00`: Hookline has no billing.',
  params: z.object({}),
  response: z.object({
    user_id: z.int(),
    alias: z.string(),
    email: z.string().nullable(),
    company: z.string(),
    balance: z.literal('0.00'),
  }),
  errors: [],
  async handle({ db }, { caller }) {
    const { accountId, alias, email, accountName } = await readOwner(db, caller)
    return { user_id: accountId, alias, email, company: accountName, balance: '0.00' as const }
  },
})
