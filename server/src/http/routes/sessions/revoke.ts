import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import type { Database } from '../../../db/database.ts'
import { revokeSession } from '../../../identity/sessions/sessions.ts'
import { ApiError } from '../../../model/errors.ts'
import { type SessionUser, sessionOperation } from '../../operation/operation.ts'
import { id } from '../fields.ts'

export const revokeSessionOperation = sessionOperation({
  id: 'revokeSession',
  group: 'Authentication',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Revoke session',
  description: 'Immediately revokes a session of your login.',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound'],
  async handle({ db }, { input, user }) {
    if (!(await revokeAudited(db, user, input.id)))
      throw new ApiError('notFound', `Session ${input.id} not found.`)
    return {}
  },
})

/** Revokes a session and records it in the audit log. Returns false if the login has no such session. */
export function revokeAudited(db: Database, user: SessionUser, sessionId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await revokeSession(trx, user.loginId, sessionId))) return false
    await recordAudit(trx, {
      accountId: user.accountId,
      actor: `login:${user.loginId}`,
      action: 'session.end',
      subject: `session:${sessionId}`,
    })
    return true
  })
}
