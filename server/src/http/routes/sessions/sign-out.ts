import { z } from 'zod'
import { ResponseWithHeaders, sessionOperation } from '../../operation/operation.ts'
import { clearedCookie } from '../../auth/session-cookie.ts'
import { revokeAudited } from './revoke.ts'

export const signOutOperation = sessionOperation({
  id: 'signOut',
  group: 'Authentication',
  role: 'viewer',
  summary: 'Sign out',
  description: 'Immediately revokes this session.',
  params: z.object({}),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db, baseUrl }, { user }) {
    await revokeAudited(db, user, user.id)
    return new ResponseWithHeaders({}, { 'set-cookie': clearedCookie(baseUrl) })
  },
})
