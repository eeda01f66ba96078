import { z } from 'zod'
import { revokeSsoSessions } from '../../../identity/sessions/sessions.ts'
import { listIdentities, unlinkIdentity } from '../../../identity/sso/identities.ts'
import { includesRole } from '../../../model/role.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'
import { identityResponse, presentIdentity } from './present.ts'

export const listSsoIdentitiesOperation = sessionOperation({
  id: 'listSsoIdentities',
  group: 'Single sign-on',
  role: 'viewer',
  summary: 'List identities',
  description:
    'Lists the links between users of the identity provider and members of the account. Members below admin see their own only.',
  params: z.object({}),
  response: z.object({ identities: z.array(identityResponse) }),
  errors: [],
  async handle({ db }, { user }) {
    const { accountId, loginId, member } = user
    const identities = await listIdentities(db, accountId)
    const seesAll = includesRole(member.role, 'admin')
    return {
      identities: identities
        .filter((identity) => seesAll || identity.loginId === loginId)
        .map((identity) => presentIdentity(identity, loginId)),
    }
  },
})

export const unlinkSsoIdentityOperation = sessionOperation({
  id: 'unlinkSsoIdentity',
  group: 'Single sign-on',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Unlink identity',
  description:
    'Removes a link and ends the sessions that it has started in this account. Members below owner remove their own links only.',
  params: z.object({ id: pathId('Id of the identity.') }),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'ssoSession'],
  async handle({ db }, { input, user }) {
    const { accountId, loginId, member } = user
    const ownerId = member.role === 'owner' ? undefined : loginId
    await db.transaction().execute(async (trx) => {
      const unlinked = await unlinkIdentity(trx, `login:${loginId}`, { accountId, id: input.id, ownerId })
      await revokeSsoSessions(trx, { accountId, loginId: unlinked })
    })
    return {}
  },
})
