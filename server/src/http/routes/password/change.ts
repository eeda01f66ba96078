import { z } from 'zod'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { judgePassword, writePassword } from '../../../identity/accounts/logins.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { sendNotice } from '../../mails.ts'
import { personOperation } from '../../operation.ts'
import { askPassword } from '../ask-password.ts'
import { password } from '../fields.ts'
import { beginSession, presentBegun } from '../session/begin.ts'
import { sessionAnswer } from '../session/present.ts'

export const changePassword = personOperation({
  id: 'changePassword',
  group: 'Account',
  summary: 'Change the password',
  description:
    'Ends all sessions of your login and starts a new one for this browser: it gets a new cookie, and calls need the new `csrf_token`.',
  params: z.object({ current_password: password, new_password: password }),
  answer: sessionAnswer,
  failures: ['crossSite', 'passwordWrong'],
  async handle(parts, { input, person, origin }) {
    const { db, passwords, mail, baseUrl } = parts
    const { accountId, loginId } = person
    judgePassword(input.new_password)
    await askPassword(parts, person, input.current_password, origin)
    const passwordHash = await passwords.hash(
      input.new_password,
      hashShare({ kind: 'session', loginId }, origin.ip),
    )
    const { login, begun } = await db.transaction().execute(async (trx) => {
      const changed = await writePassword(trx, `login:${loginId}`, loginId, passwordHash, { ip: origin.ip })
      await endSessions(trx, loginId)
      return { login: changed, begun: await beginSession(parts, trx, { accountId, loginId, origin }) }
    })
    sendNotice(mail, login, 'password', { ip: origin.ip, baseUrl })
    return presentBegun(parts, begun)
  },
})
