import { z } from 'zod'
import { judgePassword, writePassword } from '../../../identity/accounts/logins.ts'
import { judgeReset, takeReset } from '../../../identity/accounts/password-resets.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { noticeMail } from '../../mails.ts'
import { openOperation } from '../../operation.ts'
import { password } from '../fields.ts'

export const resetPassword = openOperation({
  id: 'resetPassword',
  group: 'Sign-in',
  summary: 'Set a new password with a link',
  description: 'Uses the link up and ends all sessions of the login. A second factor stays on.',
  params: z.object({
    token: z.string({ error: 'must be a text' }).meta({ description: 'From the link in the mail.' }),
    new_password: password,
  }),
  answer: z.object({}),
  failures: ['crossSite', 'linkInvalid'],
  async handle({ db, vault, passwords, mail, baseUrl }, { input, origin }) {
    const { ip } = origin
    await judgeReset(db, vault, input.token)
    judgePassword(input.new_password)
    const passwordHash = await passwords.hash(input.new_password)
    const login = await db.transaction().execute(async (trx) => {
      const loginId = await takeReset(trx, vault, input.token)
      const changed = await writePassword(trx, `login:${loginId}`, loginId, passwordHash, { ip, by: 'link' })
      await endSessions(trx, loginId)
      return changed
    })
    mail?.send(noticeMail(login, 'password', { ip, baseUrl }))
    return {}
  },
})
