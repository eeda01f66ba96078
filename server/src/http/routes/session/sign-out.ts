import { z } from 'zod'
import { endSession } from '../../../identity/sessions/sessions.ts'
import { Headed, personOperation } from '../../operation.ts'
import { clearedCookie } from '../../session-cookie.ts'

export const signOut = personOperation({
  id: 'signOut',
  group: 'Sign-in',
  summary: 'Sign out',
  description: 'Ends this session on every process at once.',
  params: z.object({}),
  answer: z.object({}),
  failures: [],
  async handle({ db, baseUrl }, { person }) {
    await endSession(db, person.loginId, person.id)
    return new Headed({}, { 'set-cookie': clearedCookie(baseUrl) })
  },
})
