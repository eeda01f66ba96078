import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import type { Database } from '../../../db/database.ts'
import { endSession } from '../../../identity/sessions/sessions.ts'
import { Refusal } from '../../../model/errors.ts'
import { type Person, personOperation } from '../../operation.ts'
import { id } from '../fields.ts'

export const endOwnSession = personOperation({
  id: 'endSession',
  group: 'Sign-in',
  summary: 'Sign out somewhere else',
  description: 'Ends a session of your login on every process at once.',
  params: z.object({ id }),
  answer: z.object({}),
  failures: ['crossSite', 'notFound'],
  async handle({ db }, { input, person }) {
    if (!(await endAudited(db, person, input.id)))
      throw new Refusal('notFound', `There is no session ${input.id}.`)
    return {}
  },
})

/** False: the person has no such session. */
export function endAudited(db: Database, person: Person, sessionId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await endSession(trx, person.loginId, sessionId))) return false
    await recordAudit(trx, {
      accountId: person.accountId,
      actor: `login:${person.loginId}`,
      action: 'session.end',
      subject: `session:${sessionId}`,
    })
    return true
  })
}
