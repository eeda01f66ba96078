import { z } from 'zod'
import { beginSecondFactor } from '../../../identity/accounts/second-factor.ts'
import { enrolmentUri } from '../../../identity/accounts/totp.ts'
import { personOperation } from '../../operation.ts'
import { askPassword } from '../ask-password.ts'
import { password } from '../fields.ts'

export const beginOwnSecondFactor = personOperation({
  id: 'beginSecondFactor',
  group: 'Account',
  summary: 'Set up a second factor',
  description:
    'Makes a secret for an authenticator app. Nothing changes until a first code is sent to `/api/second-factor/confirm`.',
  params: z.object({ password }),
  answer: z.object({
    secret: z.string().meta({ description: 'In base32, to be typed.' }),
    uri: z.string().meta({ description: '`otpauth://…`, to be shown as a QR code.' }),
  }),
  failures: ['crossSite', 'passwordWrong', 'secondFactorOn'],
  async handle(parts, { input, person, origin }) {
    await askPassword(parts, person, input.password, origin)
    const { secret, alias } = await beginSecondFactor(parts, person.loginId)
    return { secret, uri: enrolmentUri(`Hookline ${parts.baseUrl.hostname}`, alias, secret) }
  },
})
