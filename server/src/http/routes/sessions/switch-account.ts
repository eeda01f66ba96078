import { z } from 'zod'
import { listAccountsOf } from '../../../identity/members/members.ts'
import { ApiError } from '../../../model/errors.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { createBrowserSession, presentNewSession } from './start.ts'
import { sessionResponse } from './present.ts'

export const switchAccountOperation = sessionOperation({
  id: 'switchAccount',
  group: 'Authentication',
  role: 'viewer',
  needsOwnSession: true,
  summary: 'Switch account',
  description:
    'Continues in another account of yours, with a new session. The response sets a new cookie, and further calls need the new `csrf_token`. So a page that still shows the old account cannot change the new one.',
  params: z.object({ account_id: z.int32({ error: 'must be an account id' }) }),
  response: sessionResponse,
  errors: ['csrfFailed', 'noMembership', 'accountSuspended', 'ssoRequired'],
  async handle(deps, { input, user, origin }) {
    const { loginId } = user
    const accounts = await listAccountsOf(deps.db, loginId)
    const account = accounts.find(({ id }) => id === input.account_id)
    if (account === undefined)
      throw new ApiError(
        'noMembership',
        'You are not a member of this account. Ask an admin for an invitation.',
      )
    if (account.isSuspended) throw new ApiError('accountSuspended', 'This account is suspended.')
    await deps.throttle.switchAccount(loginId)
    const session = await deps.db
      .transaction()
      .execute((trx) =>
        createBrowserSession(deps, trx, { accountId: account.id, loginId, origin, previous: user }),
      )
    return presentNewSession(deps, session)
  },
})
