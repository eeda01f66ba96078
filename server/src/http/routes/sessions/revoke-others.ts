import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { revokeSessions } from '../../../identity/sessions/sessions.ts'
import { sessionOperation } from '../../operation/operation.ts'

export const revokeOtherSessionsOperation = sessionOperation({
  id: 'revokeOtherSessions',
  group: 'Authentication',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Sign out other sessions',
  description: 'Immediately revokes all other sessions of your login.',
  params: z.object({}),
  response: z.object({ revoked: z.int().meta({ description: 'Number of revoked sessions.' }) }),
  errors: ['csrfFailed'],
  async handle({ db }, { user }) {
    return db.transaction().execute(async (trx) => {
      const revoked = await revokeSessions(trx, user.loginId, user.id)
      await recordAudit(trx, {
        accountId: user.accountId,
        actor: `login:${user.loginId}`,
        action: 'session.end-others',
        subject: `login:${user.loginId}`,
        detail: { revoked },
      })
      return { revoked }
    })
  },
})
