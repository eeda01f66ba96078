import { openVerification, verificationHours } from '../../../identity/accounts/email-verifications.ts'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { verificationEmail } from '../emails.ts'
import { requireMail } from '../require-mail.ts'
import type { ApiDeps, Origin } from '../../operation/operation.ts'

/** Sends a verification link. The email belongs to the login once the link is opened. */
export async function sendVerification(
  deps: ApiDeps,
  loginId: number,
  email: string,
  { ip }: Origin,
): Promise<void> {
  const { db, vault, throttle, baseUrl } = deps
  const mail = requireMail(
    deps,
    'Email is not configured, so emails cannot be verified. Contact the operator.',
  )
  await throttle.mailTo(email, ip)
  const token = await openVerification(db, vault, loginId, email)
  const login = await loginOverview(db, loginId)
  // The token is in the fragment, which browsers do not send, so that it appears in no log.
  const link = new URL(`/verify#token=${token}`, baseUrl).href
  mail.send(verificationEmail({ alias: login.alias, email }, link, verificationHours))
}
