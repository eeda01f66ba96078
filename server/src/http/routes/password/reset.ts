import { z } from 'zod'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { validatePassword, writePassword } from '../../../identity/accounts/logins.ts'
import { checkReset, consumeReset } from '../../../identity/accounts/password-resets.ts'
import { revokeSessions } from '../../../identity/sessions/sessions.ts'
import { publicOperation } from '../../operation/operation.ts'
import { password } from '../fields.ts'
import { revokeAccess } from './revoke-access.ts'

export const resetPasswordOperation = publicOperation({
  id: 'resetPassword',
  group: 'Authentication',
  summary: 'Reset password',
  description:
    'Consumes the link, sets the password and revokes all sessions of the login. Unless `keep_access` is true, also revokes the API keys, OAuth apps and authorizations of its accounts. In an account with other members, only the authorizations of this login are revoked. Two-factor authentication stays on. Exception: if the email was never verified before, `keep_access` is ignored and two-factor authentication is removed.',
  params: z.object({
    token: z.string({ error: 'must be a string' }).meta({ description: 'Token from the link in the email.' }),
    new_password: password,
    keep_access: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .meta({ description: 'Keeps API keys, OAuth apps and authorizations.' }),
  }),
  response: z.object({}),
  errors: ['csrfFailed', 'invalidResetLink'],
  async handle({ db, vault, passwords }, { input, origin }) {
    const { ip } = origin
    const holder = await checkReset(db, vault, input.token)
    validatePassword(input.new_password)
    const passwordHash = await passwords.hash(
      input.new_password,
      hashShare({ kind: 'session', loginId: holder }, ip),
    )
    await db.transaction().execute(async (trx) => {
      const loginId = await consumeReset(trx, vault, input.token)
      await writePassword(trx, `login:${loginId}`, loginId, passwordHash, { ip, by: 'link' })
      await revokeSessions(trx, loginId)
      await revokeAccess(trx, { loginId, keepAccess: input.keep_access })
    })
    return {}
  },
})
