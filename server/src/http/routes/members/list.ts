import { z } from 'zod'
import { listMembers } from '../../../identity/members/members.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { memberResponse, presentMember } from './present.ts'

export const listMembersOperation = sessionOperation({
  id: 'listMembers',
  group: 'Members',
  role: 'viewer',
  summary: 'List members',
  description: 'Lists the members of your account with their roles and rights, owners first.',
  params: z.object({}),
  response: z.object({ members: z.array(memberResponse) }),
  errors: [],
  async handle({ db }, { user }) {
    const members = await listMembers(db, user.accountId)
    return { members: members.map((member) => presentMember(member, user.loginId)) }
  },
})
