import { z } from 'zod'
import { lockMembers } from '../../../identity/members/members.ts'
import { noSso, removeConnection } from '../../../identity/sso/connections.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { requireAllRights } from './require-rights.ts'

export const removeSsoOperation = sessionOperation({
  id: 'removeSso',
  group: 'Single sign-on',
  role: 'owner',
  needsOwnSession: true,
  summary: 'Remove single sign-on',
  description:
    'Removes the connection and all identities, ends its sessions, and lifts the requirement. Domains stay. Requires the password or a passkey.',
  params: z.object(confirmation),
  response: z.object({}),
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'ssoSession', 'noSso'],
  async handle(deps, { input, user, origin }) {
    const { accountId, loginId } = user
    requireAllRights(user)
    await requireConfirmation(deps, user, input, origin)
    const isRemoved = await deps.db.transaction().execute(async (trx) => {
      await lockMembers(trx, accountId)
      return removeConnection(trx, `login:${loginId}`, accountId)
    })
    if (!isRemoved) throw noSso()
    return {}
  },
})
