import { z } from 'zod'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { judgePassword, writePassword } from '../../../identity/accounts/logins.ts'
import { judgeReset, takeReset } from '../../../identity/accounts/password-resets.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { sendNotice } from '../../mails.ts'
import { openOperation } from '../../operation.ts'
import { password } from '../fields.ts'
import { revokeAccess } from './revoke-access.ts'

export const resetPassword = openOperation({
  id: 'resetPassword',
  group: 'Sign-in',
  summary: 'Set a new password with a link',
  description:
    'Uses the link up, ends all sessions of the login and, unless `keep_access` is true, revokes the API keys, apps and authorizations of its account. If others sign in for the account too, only the authorizations of this login end. A second factor stays on.',
  params: z.object({
    token: z.string({ error: 'must be a text' }).meta({ description: 'From the link in the mail.' }),
    new_password: password,
    keep_access: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .meta({ description: 'Leaves API keys, apps and authorizations as they are.' }),
  }),
  answer: z.object({}),
  failures: ['crossSite', 'linkInvalid'],
  async handle({ db, vault, passwords, mail, baseUrl }, { input, origin }) {
    const { ip } = origin
    const owner = await judgeReset(db, vault, input.token)
    judgePassword(input.new_password)
    const passwordHash = await passwords.hash(
      input.new_password,
      hashShare({ kind: 'session', loginId: owner }, ip),
    )
    const login = await db.transaction().execute(async (trx) => {
      const loginId = await takeReset(trx, vault, input.token)
      const changed = await writePassword(trx, `login:${loginId}`, loginId, passwordHash, { ip, by: 'link' })
      await endSessions(trx, loginId)
      const { accountId } = changed
      await revokeAccess(trx, { accountId, loginId, keepAccess: input.keep_access })
      return changed
    })
    sendNotice(mail, login, 'password', { ip, baseUrl })
    return {}
  },
})
