import { z } from 'zod'
import { readCountry } from '../../../identity/accounts/accounts.ts'
import { countries } from '../../../model/countries.ts'
import { scopedOperation } from '../../operation/operation.ts'

export const readCountryOperation = scopedOperation('events:read', {
  id: 'readCountry',
  group: 'Account',
  role: 'viewer',
  summary: 'Read default country',
  description:
    'Returns the default country of the account and all countries that can be chosen. Searches understand numbers in the national form of the default country.',
  params: z.object({}),
  response: z.object({
    country: z.string().nullable().meta({ description: 'Two-letter code of ISO 3166-1, such as DE.' }),
    countries: z.array(z.string()),
  }),
  errors: [],
  handle: async ({ db }, { caller }) => ({
    country: (await readCountry(db, caller.accountId)) ?? null,
    countries: [...countries],
  }),
})
