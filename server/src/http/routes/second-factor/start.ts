import { z } from 'zod'
import { startSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { enrollmentUri } from '../../../identity/accounts/totp.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { requirePassword } from '../confirm-password.ts'
import { password } from '../fields.ts'

export const startSecondFactorOperation = sessionOperation({
  id: 'startSecondFactor',
  group: 'Account',
  role: 'viewer',
  summary: 'Set up two-factor authentication',
  description:
    'Creates a secret for an authenticator app. Two-factor authentication is enabled once a code is sent to `/api/second-factor/confirm`.',
  params: z.object({ password }),
  response: z.object({
    secret: z.string().meta({ description: 'Secret in base32, for manual entry.' }),
    uri: z.string().meta({ description: '`otpauth://…` URI, for a QR code.' }),
  }),
  errors: ['csrfFailed', 'wrongPassword', 'secondFactorOn'],
  async handle(deps, { input, user, origin }) {
    await requirePassword(deps, user, input.password, origin)
    const { secret, alias } = await startSecondFactor(deps, user.loginId)
    return { secret, uri: enrollmentUri(`Hookline ${deps.baseUrl.hostname}`, alias, secret) }
  },
})
