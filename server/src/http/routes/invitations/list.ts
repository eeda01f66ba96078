import { z } from 'zod'
import { listInvitations } from '../../../identity/members/invitations.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { instant } from '../fields.ts'
import { memberRights, presentRights } from '../members/present.ts'

export const listInvitationsOperation = sessionOperation({
  id: 'listInvitations',
  group: 'Members',
  role: 'admin',
  summary: 'List invitations',
  description: 'Lists open invitations, and those that expired in the last 30 days, latest first.',
  params: z.object({}),
  response: z.object({
    invitations: z.array(
      z
        .object({
          id: z.int(),
          email: z.string(),
          ...memberRights,
          invited_by: z.string(),
          sent_at: instant,
          expires_at: instant,
        })
        .meta({ id: 'Invitation' }),
    ),
  }),
  errors: [],
  async handle({ db }, { user }) {
    const invitations = await listInvitations(db, user.accountId)
    return {
      invitations: invitations.map((invitation) => ({
        id: invitation.id,
        email: invitation.email,
        ...presentRights(invitation),
        invited_by: invitation.invitedBy,
        sent_at: invitation.sentAt.toISOString(),
        expires_at: invitation.expiresAt.toISOString(),
      })),
    }
  },
})
