import { z } from 'zod'
import { listSessions } from '../../../identity/sessions/sessions.ts'
import { personOperation } from '../../operation.ts'
import { instant } from '../fields.ts'

export const listOwnSessions = personOperation({
  id: 'listSessions',
  group: 'Sign-in',
  summary: 'Where you are signed in',
  description: 'The sessions of your login, the one used last first.',
  params: z.object({}),
  answer: z.object({
    sessions: z.array(
      z.object({
        id: z.int(),
        is_current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
        created_at: instant,
        last_used_at: instant.meta({ description: 'To the minute.' }),
        expires_at: instant,
        ip: z.string(),
        user_agent: z.string(),
      }),
    ),
  }),
  failures: [],
  async handle({ db }, { person }) {
    const sessions = await listSessions(db, person.loginId)
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        is_current: session.id === person.id,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        ip: session.ip,
        user_agent: session.userAgent,
      })),
    }
  },
})
