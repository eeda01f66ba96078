import { z } from 'zod'
import { noSso, readConnection } from '../../../identity/sso/connections.ts'
import { startFlow } from '../../sso/start-flow.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { flowResponse, returnPath } from './present.ts'

export const linkSsoOperation = sessionOperation({
  id: 'linkSso',
  group: 'Single sign-on',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Link identity',
  description:
    'Links your login to the user that you sign in as at the identity provider of the account. Requires the password or a passkey.',
  params: z.object({ ...confirmation, return_path: returnPath }),
  response: flowResponse,
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'noSso', 'ssoFailed', 'ssoSession'],
  async handle(deps, { input, user, origin }) {
    await requireConfirmation(deps, user, input, origin)
    const connection = await readConnection(deps.db, user.accountId)
    if (connection === undefined) throw noSso()
    return startFlow(deps, connection, { purpose: 'link', user, returnPath: input.return_path })
  },
})
