import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { personOperation } from '../../operation.ts'

export const endOtherSessions = personOperation({
  id: 'endOtherSessions',
  group: 'Sign-in',
  summary: 'Sign out everywhere else',
  description: 'Ends all sessions of your login but this one, on every process at once.',
  params: z.object({}),
  answer: z.object({ ended: z.int().meta({ description: 'How many there were.' }) }),
  failures: ['crossSite'],
  async handle({ db }, { person }) {
    return db.transaction().execute(async (trx) => {
      const ended = await endSessions(trx, person.loginId, person.id)
      await recordAudit(trx, {
        accountId: person.accountId,
        actor: `login:${person.loginId}`,
        action: 'session.end-others',
        subject: `login:${person.loginId}`,
        detail: { ended },
      })
      return { ended }
    })
  },
})
