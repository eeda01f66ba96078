import { openVerification, verificationHours } from '../../../identity/accounts/email-verifications.ts'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { Refusal } from '../../../model/errors.ts'
import { verificationMail } from '../../mails.ts'
import type { ApiParts, Origin } from '../../operation.ts'

/** Sends a link to an email that becomes the login's once the link is opened. */
export async function sendVerification(
  { db, vault, throttle, mail, baseUrl }: ApiParts,
  loginId: number,
  email: string,
  { ip }: Origin,
): Promise<void> {
  if (mail === undefined)
    throw new Refusal(
      'noMail',
      'This installation sends no mail, so it cannot verify an email. Ask its operator.',
    )
  await throttle.mailTo(email, ip)
  const token = await openVerification(db, vault, loginId, email)
  const { login } = await loginOverview(db, loginId)
  // In the fragment, which browsers keep to themselves: the token reaches no log on the way.
  const link = new URL(`/verify#token=${token}`, baseUrl).href
  mail.send(verificationMail({ alias: login.alias, email }, link, verificationHours))
}
