import { z } from 'zod'
import { listSessions } from '../../../identity/sessions/sessions.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { instant } from '../fields.ts'

export const listSessionsOperation = sessionOperation({
  id: 'listSessions',
  group: 'Authentication',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'List sessions',
  description: 'Lists the sessions of your login, last used first.',
  params: z.object({}),
  response: z.object({
    sessions: z.array(
      z.object({
        id: z.int(),
        is_current: z.boolean().meta({ description: 'Whether this is the session of the call.' }),
        created_at: instant,
        last_used_at: instant.meta({ description: 'Accurate to the minute.' }),
        expires_at: instant,
        ip: z.string(),
        user_agent: z.string(),
      }),
    ),
  }),
  errors: [],
  async handle({ db }, { user }) {
    const sessions = await listSessions(db, user.loginId)
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        is_current: session.id === user.id,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        ip: session.ip,
        user_agent: session.userAgent,
      })),
    }
  },
})
