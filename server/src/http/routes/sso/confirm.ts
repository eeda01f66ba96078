import { z } from 'zod'
import { readConnection } from '../../../identity/sso/connections.ts'
import { ApiError } from '../../../model/errors.ts'
import { startFlow } from '../../sso/start-flow.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { flowResponse, returnPath } from './present.ts'

export const confirmSsoOperation = sessionOperation({
  id: 'confirmSso',
  group: 'Single sign-on',
  role: 'viewer',
  summary: 'Confirm with the identity provider',
  description:
    'For sessions of single sign-on: you sign in at the identity provider again. Then operations that require the password accept an empty `password` for 5 minutes.',
  params: z.object({ return_path: returnPath }),
  response: flowResponse,
  errors: ['csrfFailed', 'noSso', 'ssoFailed'],
  async handle(deps, { input, user }) {
    const connection = user.sso === null ? undefined : await readConnection(deps.db, user.accountId)
    if (connection === undefined)
      throw new ApiError('noSso', 'This session was not started by single sign-on. Enter your password.')
    return startFlow(deps, connection, { purpose: 'confirm', user, returnPath: input.return_path })
  },
})
