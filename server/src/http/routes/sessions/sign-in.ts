import { z } from 'zod'
import { authenticateLogin, lockPassword } from '../../../identity/accounts/authenticate-login.ts'
import { chooseAccount, isFirstSignIn } from '../../../identity/members/members.ts'
import { verifySecondFactor } from '../../../identity/accounts/second-factor.ts'
import { ApiError } from '../../../model/errors.ts'
import { deviceToken } from '../../auth/device-cookie.ts'
import { publicOperation } from '../../operation/operation.ts'
import { password } from '../fields.ts'
import { joinAccount } from '../invitations/join.ts'
import { invitationToken } from '../invitations/params.ts'
import { createBrowserSession, presentNewSession } from './start.ts'
import { sessionResponse } from './present.ts'

export const signInOperation = publicOperation({
  id: 'signIn',
  group: 'Authentication',
  summary: 'Sign in',
  description:
    'Starts a session and sets its cookie. A login with two-factor authentication also needs `code`. Without it, the error code is 911. A user of several accounts continues in the one used last. With `invitation`, the login first becomes a member of its account.',
  params: z.object({
    login: z.string({ error: 'must be a string' }).meta({ description: 'Alias or email.' }),
    password,
    code: z
      .string({ error: 'must be a string' })
      .optional()
      .meta({ description: 'Code of the authenticator app, or a recovery code.' }),
    invitation: invitationToken.optional(),
  }),
  response: sessionResponse,
  errors: [
    'csrfFailed',
    'secondFactorRequired',
    'invalidSecondFactor',
    'noMembership',
    'invalidInvitation',
    'memberExists',
    'tooManyMembers',
  ],
  async handle(deps, { input, origin, user }) {
    const { login, password: inputPassword, code } = input
    const { ip } = origin
    const device = deviceToken(origin.headers, deps.baseUrl)
    const holder = await authenticateLogin(deps, { login, password: inputPassword, ip, device })
    const { loginId, trust } = holder
    if (holder.hasSecondFactor) {
      if (code === undefined || code === '')
        throw new ApiError(
          'secondFactorRequired',
          'Two-factor code required. Enter the code of your authenticator app.',
        )
      await verifySecondFactor(deps, { loginId, code, ip, trust, nowMs: deps.clock.now() })
    }
    const session = await deps.db.transaction().execute(async (trx) => {
      await lockPassword(trx, holder)
      const accountId =
        input.invitation === undefined
          ? await chooseAccount(trx, loginId)
          : await joinAccount(trx, deps.vault, loginId, input.invitation)
      const isNewBrowser = trust.kind !== 'device' && !(await isFirstSignIn(trx, loginId))
      return createBrowserSession(deps, trx, { accountId, loginId, origin, previous: user, isNewBrowser })
    })
    return presentNewSession(deps, session)
  },
})
