import { z } from 'zod'
import { sessionOperation } from '../../operation/operation.ts'
import { sessionResponse } from '../sessions/present.ts'
import { createBrowserSession, presentNewSession } from '../sessions/start.ts'
import { joinAccount } from './join.ts'
import { invitationToken } from './params.ts'

export const acceptInvitationOperation = sessionOperation({
  id: 'acceptInvitation',
  group: 'Members',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Accept invitation',
  description:
    'Makes your login a member of the account, and continues in it with a new session. The response sets a new cookie, and further calls need the new `csrf_token`.',
  params: z.object({ token: invitationToken }),
  response: sessionResponse,
  errors: ['csrfFailed', 'invalidInvitation', 'memberExists', 'tooManyMembers', 'ssoRequired', 'ssoSession'],
  async handle(deps, { input, user, origin }) {
    const { loginId } = user
    const session = await deps.db.transaction().execute(async (trx) => {
      const accountId = await joinAccount(trx, deps.vault, loginId, input.token)
      return createBrowserSession(deps, trx, { accountId, loginId, origin, previous: user })
    })
    return presentNewSession(deps, session)
  },
})
