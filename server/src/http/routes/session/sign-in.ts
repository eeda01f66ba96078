import { z } from 'zod'
import { authenticateLogin, holdPassword } from '../../../identity/accounts/authenticate-login.ts'
import { judgeSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { Refusal } from '../../../model/errors.ts'
import { deviceToken } from '../../device-cookie.ts'
import { openOperation } from '../../operation.ts'
import { password } from '../fields.ts'
import { beginSession, presentBegun } from './begin.ts'
import { sessionAnswer } from './present.ts'

export const signIn = openOperation({
  id: 'signIn',
  group: 'Sign-in',
  summary: 'Sign in',
  description:
    'Starts a session in the browser and sets its cookie. A login with a second factor needs `code` too, which is best asked for once the answer is 911.',
  params: z.object({
    login: z.string({ error: 'must be a text' }).meta({ description: 'Alias or e-mail address.' }),
    password,
    code: z
      .string({ error: 'must be a text' })
      .optional()
      .meta({ description: 'Of the authenticator app, or a recovery code.' }),
  }),
  answer: sessionAnswer,
  failures: ['crossSite', 'secondFactorNeeded', 'secondFactorWrong'],
  async handle(parts, { input, origin, person }) {
    const { login, password: given, code } = input
    const { ip } = origin
    const device = deviceToken(origin.headers, parts.baseUrl)
    const holder = await authenticateLogin(parts, { login, password: given, ip, device })
    const { loginId, standing } = holder
    if (holder.hasSecondFactor) {
      if (code === undefined || code === '')
        throw new Refusal('secondFactorNeeded', 'Enter the code of your authenticator app too.')
      await judgeSecondFactor(parts, { loginId, code, ip, standing, nowMs: parts.clock.now() })
    }
    const begun = await parts.db.transaction().execute(async (trx) => {
      await holdPassword(trx, holder)
      return beginSession(parts, trx, { ...holder, origin, before: person })
    })
    return presentBegun(parts, begun)
  },
})
