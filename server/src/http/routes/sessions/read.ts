import { z } from 'zod'
import { sessionOperation } from '../../operation/operation.ts'
import { presentSession, sessionResponse } from './present.ts'

export const readSessionOperation = sessionOperation({
  id: 'readSession',
  group: 'Authentication',
  role: 'viewer',
  summary: 'Read session',
  description: 'Returns the session, its login and account, and the CSRF token.',
  params: z.object({}),
  response: sessionResponse,
  errors: [],
  handle: (deps, { user }) => presentSession(deps, user, user.csrfToken),
})
