import { z } from 'zod'
import { revokeInvitation } from '../../../identity/members/invitations.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'

export const revokeInvitationOperation = sessionOperation({
  id: 'revokeInvitation',
  group: 'Members',
  role: 'admin',
  summary: 'Revoke invitation',
  description: 'Deletes an invitation. Its link stops working at once.',
  params: z.object({ id: pathId('Id of the invitation.') }),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    await revokeInvitation(db, user, input.id)
    return {}
  },
})
