import { z } from 'zod'
import { setCountry } from '../../../identity/accounts/accounts.ts'
import { countries } from '../../../model/countries.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const setCountryOperation = sessionOperation({
  id: 'setCountry',
  group: 'Account',
  role: 'admin',
  summary: 'Set default country',
  description:
    'Sets the country whose national numbers searches understand: with DE, `0171 234567` is `+49171234567`. Null removes it.',
  params: z.object({
    country: z
      .string()
      .refine((country) => countries.includes(country), {
        error: 'must be a two-letter country code such as DE',
      })
      .nullable(),
  }),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db }, { input, user }) {
    await setCountry(db, `login:${user.loginId}`, user.accountId, input.country)
    return {}
  },
})
