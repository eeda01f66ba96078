import { z } from 'zod'
import { validateEmail } from '../../../identity/accounts/logins.ts'
import { createInvitation } from '../../../identity/members/invitations.ts'
import { includesRole } from '../../../model/role.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { email } from '../fields.ts'
import { memberRights } from '../members/present.ts'
import { requireInvitationMail, sendInvitation } from './send.ts'

export const createInvitationOperation = sessionOperation({
  id: 'createInvitation',
  group: 'Members',
  role: 'admin',
  summary: 'Invite',
  description:
    'Sends an email with a link that works once within 7 days. A second invitation of an email replaces the first. You cannot give more than your own role and rights.',
  params: z.object({
    email,
    role: memberRights.role,
    can_reveal: memberRights.can_reveal.optional().meta({
      description: 'Default: true from the role developer, if you have the right.',
    }),
    can_export: memberRights.can_export.optional().meta({
      description: 'Default: true from the role developer, if you have the right.',
    }),
  }),
  response: z.object({ id: z.int() }),
  errors: ['csrfFailed', 'noMail', 'memberExists', 'tooManyMembers', 'tooManyChanges'],
  async handle(deps, { input, user, origin }) {
    const mail = requireInvitationMail(deps)
    validateEmail(input.email)
    const isDeveloper = includesRole(input.role, 'developer')
    const member = {
      role: input.role,
      canReveal: input.can_reveal ?? (isDeveloper && user.member.canReveal),
      canExport: input.can_export ?? (isDeveloper && user.member.canExport),
    }
    await deps.throttle.mailTo(input.email, origin.ip)
    const { id, token } = await createInvitation(deps.db, deps.vault, user, { email: input.email, member })
    await sendInvitation(deps, mail, { email: input.email, role: input.role, token })
    return { id }
  },
})
