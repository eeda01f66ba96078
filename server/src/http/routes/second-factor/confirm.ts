import { z } from 'zod'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { confirmSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { sendNotice } from '../../mails.ts'
import { personOperation } from '../../operation.ts'

export const confirmOwnSecondFactor = personOperation({
  id: 'confirmSecondFactor',
  group: 'Account',
  summary: 'Switch the second factor on',
  description:
    'From now on a code is needed besides the password, and the password alone is no longer a credential of the API.',
  params: z.object({
    code: z.string({ error: 'must be a text' }).meta({ description: 'Of the authenticator app.' }),
  }),
  answer: z.object({
    recovery_codes: z.array(z.string()).meta({
      description: 'Ten codes for the day the app is lost, each good once. They are not shown again.',
    }),
  }),
  failures: ['crossSite', 'secondFactorWrong', 'notFound'],
  async handle(parts, { input, person, origin }) {
    const { db, mail, baseUrl } = parts
    const { loginId } = person
    const recoveryCodes = await confirmSecondFactor(parts, {
      loginId,
      code: input.code,
      nowMs: parts.clock.now(),
    })
    const { login } = await loginOverview(db, loginId)
    sendNotice(mail, login, 'secondFactorOn', { ip: origin.ip, baseUrl })
    return { recovery_codes: recoveryCodes }
  },
})
