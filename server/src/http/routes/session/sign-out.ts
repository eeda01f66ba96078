import { z } from 'zod'
import { Headed, personOperation } from '../../operation.ts'
import { clearedCookie } from '../../session-cookie.ts'
import { endAudited } from '../sessions/end.ts'

export const signOut = personOperation({
  id: 'signOut',
  group: 'Sign-in',
  summary: 'Sign out',
  description: 'Ends this session on every process at once.',
  params: z.object({}),
  answer: z.object({}),
  failures: ['crossSite'],
  async handle({ db, baseUrl }, { person }) {
    await endAudited(db, person, person.id)
    return new Headed({}, { 'set-cookie': clearedCookie(baseUrl) })
  },
})
