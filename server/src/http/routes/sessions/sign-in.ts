import { z } from 'zod'
import { authenticateLogin, lockPassword } from '../../../identity/accounts/authenticate-login.ts'
import { type CheckedPasskey, spendPasskey } from '../../../identity/passkeys/use-passkey.ts'
import { deviceToken } from '../../auth/device-cookie.ts'
import { publicOperation } from '../../operation/operation.ts'
import { lockConnection } from '../../sso/lock-connection.ts'
import { readUnlinked } from '../../sso/link-signed-in.ts'
import { password } from '../fields.ts'
import { invitationToken } from '../invitations/params.ts'
import { assertion } from '../passkeys/params.ts'
import { sessionResponse } from './present.ts'
import { verifySecondStep } from './second-step.ts'
import { startLinked } from './start-linked.ts'
import { startSignedIn } from './start-signed-in.ts'
import { presentNewSession } from './start.ts'

export const signInOperation = publicOperation({
  id: 'signIn',
  group: 'Authentication',
  summary: 'Sign in',
  description:
    'Starts a session and sets its cookie. A login with two-factor authentication also needs `code` or `passkey`. Without one, the error code is 911, `details.allowed` lists `code`, `recovery_code` and `passkey` as far as the login has them, and `details.passkey_options` are the options for its passkeys. A user of several accounts continues in the one used last. With `invitation`, the login first becomes a member of its account.',
  params: z.object({
    login: z.string({ error: 'must be a string' }).meta({ description: 'Alias or email.' }),
    password,
    code: z
      .string({ error: 'must be a string' })
      .optional()
      .meta({ description: 'Code of the authenticator app, or a recovery code.' }),
    passkey: assertion.optional().meta({
      description: 'A passkey in place of the code: its response to `details.passkey_options` of error 911.',
    }),
    invitation: invitationToken.optional(),
    link_sso: z.boolean({ error: 'must be true or false' }).optional().meta({
      description:
        'After single sign-on failed in this browser because the user is not linked: links your login to this user, and starts a session of single sign-on in its account.',
    }),
  }),
  response: sessionResponse,
  errors: [
    'csrfFailed',
    'secondFactorRequired',
    'invalidSecondFactor',
    'invalidPasskey',
    'noMembership',
    'invalidInvitation',
    'memberExists',
    'tooManyMembers',
    'ssoRequired',
    'ssoFailed',
  ],
  async handle(deps, { input, origin, user }) {
    const { login, password: inputPassword, code } = input
    const { ip } = origin
    const device = deviceToken(origin.headers, deps.baseUrl)
    const holder = await authenticateLogin(deps, { login, password: inputPassword, ip, device })
    const { loginId, trust, hasSecondFactor } = holder
    const passkey = hasSecondFactor
      ? await verifySecondStep(deps, holder, { code, passkey: input.passkey, ip })
      : undefined
    const unlinked = input.link_sso === true ? readUnlinked(deps, origin) : undefined
    const session = await deps.db.transaction().execute(async (trx) => {
      // Before the login, like a removal of the member.
      const connection = unlinked && (await lockConnection(trx, unlinked))
      await lockPassword(trx, holder)
      if (passkey !== undefined) await spendPasskey(trx, passkey)
      if (unlinked !== undefined && connection !== undefined)
        return startLinked(deps, trx, { unlinked, connection, loginId, origin, previous: user })
      return startSignedIn(deps, trx, {
        loginId,
        by: secondFactorName(hasSecondFactor, passkey),
        isKnownBrowser: trust.kind === 'device',
        invitation: input.invitation,
        origin,
        previous: user,
      })
    })
    return presentNewSession(deps, session)
  },
})

function secondFactorName(hasSecondFactor: boolean, passkey: CheckedPasskey | undefined): string {
  if (passkey !== undefined) return 'password and passkey'
  return hasSecondFactor ? 'password and code' : 'password'
}
