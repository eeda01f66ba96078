import { invitationDays, readInvitation } from '../../../identity/members/invitations.ts'
import type { Role } from '../../../model/role.ts'
import type { Mailer } from '../../../runtime/mail.ts'
import type { ApiDeps } from '../../operation/operation.ts'
import { invitationEmail } from '../emails.ts'
import { requireMail } from '../require-mail.ts'

/** Without email nobody could prove a mailbox. The operator adds members with the admin tool. */
export function requireInvitationMail(deps: ApiDeps): Mailer {
  return requireMail(deps, 'Email is not configured. Ask the operator to add the member.')
}

export async function sendInvitation(
  { db, vault, baseUrl }: ApiDeps,
  mail: Mailer,
  { email, role, token }: { email: string; role: Role; token: string },
): Promise<void> {
  const { accountName, invitedBy } = await readInvitation(db, vault, token)
  // The token is in the fragment, which browsers do not send, so that it appears in no log.
  const link = new URL(`/join#token=${token}`, baseUrl).href
  mail.send(invitationEmail({ email, accountName, invitedBy, role }, link, invitationDays))
}
