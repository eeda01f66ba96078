import { z } from 'zod'
import { personOperation } from '../../operation.ts'
import { presentSession, sessionAnswer } from './present.ts'

export const readSession = personOperation({
  id: 'readSession',
  group: 'Sign-in',
  summary: 'Who is signed in',
  description: 'The session, its login and account, and the token that changing calls must carry.',
  params: z.object({}),
  answer: sessionAnswer,
  failures: [],
  handle: (parts, { person }) => presentSession(parts, person, person.csrfToken),
})
