import { z } from 'zod'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { hasLogin, insertLogin, validateLogin } from '../../../identity/accounts/logins.ts'
import { consumeInvitation, readInvitation } from '../../../identity/members/invitations.ts'
import { setFirstRole } from '../../../identity/members/members.ts'
import { ApiError } from '../../../model/errors.ts'
import { publicOperation } from '../../operation/operation.ts'
import { password } from '../fields.ts'
import { sessionResponse } from '../sessions/present.ts'
import { createBrowserSession, presentNewSession } from '../sessions/start.ts'
import { invitationToken } from './params.ts'

export const registerInvitedOperation = publicOperation({
  id: 'registerInvited',
  group: 'Members',
  summary: 'Accept invitation with a new login',
  description:
    'Creates a login with the email of the invitation, which the link has verified, makes it a member of the account, and starts a session. Works without self-registration.',
  params: z.object({
    token: invitationToken,
    alias: z.string({ error: 'must be a string' }),
    password,
  }),
  response: sessionResponse,
  errors: ['csrfFailed', 'invalidInvitation', 'memberExists', 'ssoRequired'],
  async handle(deps, { input, user, origin }) {
    const { db, vault, passwords } = deps
    const { email } = await readInvitation(db, vault, input.token)
    if (await hasLogin(db, email))
      throw new ApiError('memberExists', 'Another login has the email. Sign in with it to accept.')
    validateLogin({ alias: input.alias, email, password: input.password })
    const passwordHash = await passwords.hash(input.password, hashShare({ kind: 'anonymous' }, origin.ip))
    const session = await db.transaction().execute(async (trx) => {
      const { accountId, member, ...invitation } = await consumeInvitation(trx, vault, input.token)
      const login = { alias: input.alias, email: invitation.email, isEmailVerified: true }
      const loginId = await insertLogin(trx, 'visitor', accountId, login, passwordHash)
      await setFirstRole(trx, 'visitor', { accountId, loginId }, member)
      return createBrowserSession(deps, trx, { accountId, loginId, origin, previous: user })
    })
    return presentNewSession(deps, session)
  },
})
