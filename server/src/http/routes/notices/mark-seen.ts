import { z } from 'zod'
import { markSeen } from '../../../notices/list-notices.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const markNoticesSeenOperation = sessionOperation({
  id: 'markNoticesSeen',
  group: 'Notices',
  role: 'viewer',
  summary: 'Mark notices as seen',
  description: 'Marks a notice and all older ones as seen by you. Other users still see them as unread.',
  params: z.object({
    id: z
      .int({ error: 'must be a positive integer' })
      .positive({ error: 'must be a positive integer' })
      .meta({ description: 'Id of the newest notice that you have seen.' }),
  }),
  response: z.object({}),
  errors: ['csrfFailed'],
  async handle({ db }, { input, user }) {
    await markSeen(db, user.accountId, user.loginId, input.id)
    return {}
  },
})
