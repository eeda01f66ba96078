import { z } from 'zod'
import { sessionOperation } from '../../operation/operation.ts'
import { readSso, ssoResponse } from './present.ts'

export const readSsoOperation = sessionOperation({
  id: 'readSso',
  group: 'Single sign-on',
  role: 'admin',
  summary: 'Read single sign-on',
  description: 'Returns the connection to the identity provider, the domains, and the redirect URI.',
  params: z.object({}),
  response: ssoResponse,
  errors: [],
  handle: (deps, { user }) => readSso(deps, user.accountId),
})
