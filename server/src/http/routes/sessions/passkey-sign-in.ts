import { z } from 'zod'
import { findDevice } from '../../../identity/accounts/devices.ts'
import { spendPasskey } from '../../../identity/passkeys/use-passkey.ts'
import type { Assertion } from '../../../identity/passkeys/verify-responses.ts'
import { deviceToken } from '../../auth/device-cookie.ts'
import { type ApiDeps, type Origin, publicOperation } from '../../operation/operation.ts'
import { invitationToken } from '../invitations/params.ts'
import { checkThrottled } from '../passkeys/check-throttled.ts'
import { assertion } from '../passkeys/params.ts'
import { sessionResponse } from './present.ts'
import { startSignedIn } from './start-signed-in.ts'
import { presentNewSession } from './start.ts'

export const passkeySignInOperation = publicOperation({
  id: 'signInWithPasskey',
  group: 'Authentication',
  summary: 'Sign in with a passkey',
  description:
    'Starts a session like `POST /api/session`, without password and code: a passkey is on a device, and the device verifies its user.',
  params: z.object({ passkey: assertion, invitation: invitationToken.optional() }),
  response: sessionResponse,
  errors: [
    'csrfFailed',
    'invalidPasskey',
    'noMembership',
    'invalidInvitation',
    'memberExists',
    'tooManyMembers',
    'ssoRequired',
  ],
  async handle(deps, { input, origin, user }) {
    const { passkey, device } = await checkSignIn(deps, input.passkey, origin)
    const { loginId } = passkey
    const session = await deps.db.transaction().execute(async (trx) => {
      await spendPasskey(trx, passkey)
      return startSignedIn(deps, trx, {
        loginId,
        by: 'passkey',
        isKnownBrowser: device?.loginId === loginId,
        invitation: input.invitation,
        origin,
        previous: user,
      })
    })
    return presentNewSession(deps, session)
  },
})

async function checkSignIn(deps: ApiDeps, sent: Assertion, { ip, headers }: Origin) {
  const device = await findDevice(deps.db, deps.vault, deviceToken(headers, deps.baseUrl))
  const passkey = await checkThrottled(deps, (check) => deps.throttle.tryPasskey({ ip, device }, check), {
    assertion: sent,
    purpose: { kind: 'sign-in' },
    ip,
  })
  return { passkey, device }
}
