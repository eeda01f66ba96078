import { z } from 'zod'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { removeSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { Refusal } from '../../../model/errors.ts'
import { sendNotice } from '../../mails.ts'
import { personOperation } from '../../operation.ts'
import { askPassword } from '../ask-password.ts'
import { password } from '../fields.ts'

export const removeOwnSecondFactor = personOperation({
  id: 'removeSecondFactor',
  group: 'Account',
  summary: 'Switch the second factor off',
  description: 'For whoever gives the password. Recovery codes are void.',
  params: z.object({ password }),
  answer: z.object({}),
  failures: ['crossSite', 'passwordWrong', 'notFound'],
  async handle(parts, { input, person, origin }) {
    const { db, mail, baseUrl } = parts
    const { loginId } = person
    await askPassword(parts, person, input.password, origin)
    if (!(await removeSecondFactor(db, `login:${loginId}`, loginId)))
      throw new Refusal('notFound', 'There is no second factor to switch off.')
    const { login } = await loginOverview(db, loginId)
    sendNotice(mail, login, 'secondFactorOff', { ip: origin.ip, baseUrl })
    return {}
  },
})
