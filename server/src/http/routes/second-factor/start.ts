import { z } from 'zod'
import { startSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { enrollmentUri } from '../../../identity/accounts/totp.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'

export const startSecondFactorOperation = sessionOperation({
  id: 'startSecondFactor',
  group: 'Account',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Set up authenticator app',
  description:
    'Creates a secret for an authenticator app. Requires the password or a passkey. The app is enabled once a code is sent to `/api/second-factor/confirm`.',
  params: z.object(confirmation),
  response: z.object({
    secret: z.string().meta({ description: 'Secret in base32, for manual entry.' }),
    uri: z.string().meta({ description: '`otpauth://…` URI, for a QR code.' }),
  }),
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'secondFactorOn'],
  async handle(deps, { input, user, origin }) {
    await requireConfirmation(deps, user, input, origin)
    const { secret, alias } = await startSecondFactor(deps, user.loginId)
    return { secret, uri: enrollmentUri(`Hookline ${deps.baseUrl.hostname}`, alias, secret) }
  },
})
