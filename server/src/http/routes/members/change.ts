import { z } from 'zod'
import { changeMember } from '../../../identity/members/members.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'
import { memberRights } from './present.ts'

export const changeMemberOperation = sessionOperation({
  id: 'changeMember',
  group: 'Members',
  role: 'admin',
  summary: 'Change role or rights',
  description:
    'Changes the role and the rights of a member. Omitted parameters keep their values. A change takes effect with the next call of the member, and of apps that the member authorized. You cannot change yourself, or give more than you have.',
  params: z.object({
    id: pathId('Id of the login.'),
    role: memberRights.role.optional(),
    can_reveal: memberRights.can_reveal.optional(),
    can_export: memberRights.can_export.optional(),
  }),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'lastOwner', 'lastBreakGlass'],
  async handle({ db }, { input, user }) {
    const { id: loginId, role, can_reveal: canReveal, can_export: canExport } = input
    await db.transaction().execute((trx) =>
      changeMember(
        trx,
        user,
        { accountId: user.accountId, loginId },
        {
          ...(role !== undefined && { role }),
          ...(canReveal !== undefined && { canReveal }),
          ...(canExport !== undefined && { canExport }),
        },
      ),
    )
    return {}
  },
})
