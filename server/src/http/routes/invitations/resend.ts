import { z } from 'zod'
import { readInvitedEmail, resendInvitation } from '../../../identity/members/invitations.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'
import { requireInvitationMail, sendInvitation } from './send.ts'

export const resendInvitationOperation = sessionOperation({
  id: 'resendInvitation',
  group: 'Members',
  role: 'admin',
  summary: 'Resend invitation',
  description: 'Sends a new link that works for another 7 days. The old link stops working.',
  params: z.object({ id: pathId('Id of the invitation.') }),
  response: z.object({}),
  errors: ['csrfFailed', 'noMail', 'notFound', 'tooManyChanges'],
  async handle(deps, { input, user, origin }) {
    const mail = requireInvitationMail(deps)
    await deps.throttle.mailTo(await readInvitedEmail(deps.db, user.accountId, input.id), origin.ip)
    const { email, member, token } = await resendInvitation(deps.db, deps.vault, user, input.id)
    await sendInvitation(deps, mail, { email, role: member.role, token })
    return {}
  },
})
