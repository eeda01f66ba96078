import { z } from 'zod'
import { listHeldSecrets } from '../../../db/secret-holders.ts'
import { removeMember } from '../../../identity/members/members.ts'
import { revokeAllAuthorizations } from '../../../identity/oauth/revoke-grant.ts'
import { revokeSessionsIn } from '../../../identity/sessions/sessions.ts'
import { includesRole } from '../../../model/role.ts'
import { requireRole } from '../../auth/require-role.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'
import { heldSecrets, presentSecret } from './present.ts'

export const removeMemberOperation = sessionOperation({
  id: 'removeMember',
  group: 'Members',
  role: 'viewer',
  summary: 'Remove member, or leave',
  description:
    'Removes a member: an admin removes others, and everyone can leave. Sessions in the account and authorizations end at once. API keys belong to the account and stay. The response lists the secrets that the member knows.',
  params: z.object({ id: pathId('Id of the login.') }),
  response: z.object({ secrets: heldSecrets }),
  errors: ['csrfFailed', 'notFound', 'lastOwner', 'lastBreakGlass'],
  async handle({ db }, { input, user }) {
    const leaver = { accountId: user.accountId, loginId: input.id }
    if (leaver.loginId !== user.loginId) requireRole(user, 'admin')
    const secrets = await db.transaction().execute(async (trx) => {
      await removeMember(trx, user, leaver)
      await revokeSessionsIn(trx, leaver)
      await revokeAllAuthorizations(trx, `login:${user.loginId}`, leaver)
      return includesRole(user.member.role, 'admin') ? listHeldSecrets(trx, leaver) : []
    })
    return { secrets: secrets.map(presentSecret) }
  },
})
