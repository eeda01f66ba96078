import { z } from 'zod'
import { hasLogin } from '../../../identity/accounts/logins.ts'
import { readInvitation } from '../../../identity/members/invitations.ts'
import { publicOperation } from '../../operation/operation.ts'
import { instant } from '../fields.ts'
import { role } from '../members/present.ts'
import { invitationToken } from './params.ts'

export const readInvitationOperation = publicOperation({
  id: 'readInvitation',
  group: 'Members',
  summary: 'Read invitation',
  description: 'Returns what the link of an invitation gives access to.',
  params: z.object({ token: invitationToken }),
  response: z.object({
    invitation: z.object({
      account_name: z.string(),
      email: z.string(),
      role,
      invited_by: z.string(),
      expires_at: instant,
      has_login: z.boolean().meta({ description: 'Whether a login has the email. It signs in to accept.' }),
    }),
  }),
  errors: ['csrfFailed', 'invalidInvitation'],
  async handle({ db, vault }, { input }) {
    const { accountName, email, member, invitedBy, expiresAt } = await readInvitation(db, vault, input.token)
    return {
      invitation: {
        account_name: accountName,
        email,
        role: member.role,
        invited_by: invitedBy,
        expires_at: expiresAt.toISOString(),
        has_login: await hasLogin(db, email),
      },
    }
  },
})
