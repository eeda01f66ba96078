import { z } from 'zod'
import { findDevice } from '../../../identity/accounts/devices.ts'
import { linkMinutes, openReset } from '../../../identity/accounts/password-resets.ts'
import { ApiError } from '../../../model/errors.ts'
import { deviceToken } from '../../auth/device-cookie.ts'
import { passwordResetEmail } from '../emails.ts'
import { publicOperation } from '../../operation/operation.ts'
import { requireMail } from '../require-mail.ts'

export const requestPasswordResetOperation = publicOperation({
  id: 'requestPasswordReset',
  group: 'Authentication',
  summary: 'Request password reset',
  description: `Sends an email with a link that works once within ${linkMinutes} minutes. Earlier links stay valid, and while a link is younger than 5 minutes, only a known browser gets another one. The response does not reveal whether the login exists.`,
  params: z.object({
    login: z.string({ error: 'must be a string' }).meta({ description: 'Alias or email.' }),
  }),
  response: z.object({}),
  errors: ['csrfFailed', 'noMail'],
  async handle(deps, { input, origin }) {
    const { db, vault, throttle, runInBackground, baseUrl } = deps
    const mail = requireMail(deps, 'Email is not configured. Ask the operator to reset your password.')
    const { ip } = origin
    const device = await findDevice(db, vault, deviceToken(origin.headers, baseUrl))
    await throttle.requestLink(ip, device)
    // Looks up the login after the response, so that the response time does not reveal whether it exists.
    const isAccepted = runInBackground(async () => {
      const reset = await openReset(db, vault, { login: input.login, ip, knownLoginId: device?.loginId })
      if (reset === undefined) return
      // The token is in the fragment, which browsers do not send, so that it appears in no log.
      const link = new URL(`/reset#token=${reset.token}`, baseUrl).href
      mail.send(passwordResetEmail(reset, link, linkMinutes))
    })
    if (!isAccepted)
      throw new ApiError(
        'unavailable',
        'Too many concurrent reset requests. Retry after the time in Retry-After.',
        {
          retryAfterSeconds: 2,
        },
      )
    return {}
  },
})
