import { z } from 'zod'
import { transferOwnership } from '../../../identity/members/members.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { pathId } from '../fields.ts'

export const transferOwnershipOperation = sessionOperation({
  id: 'transferOwnership',
  group: 'Members',
  role: 'owner',
  summary: 'Transfer ownership',
  description:
    'Makes another member an owner and you an admin, at the same time. Requires the password or a passkey.',
  params: z.object({ id: pathId('Id of the login that becomes an owner.'), ...confirmation }),
  response: z.object({}),
  errors: [
    'csrfFailed',
    'wrongPassword',
    'invalidPasskey',
    'ssoConfirmationRequired',
    'notFound',
    'lastBreakGlass',
  ],
  async handle(deps, { input, user, origin }) {
    await requireConfirmation(deps, user, input, origin)
    await deps.db.transaction().execute((trx) => transferOwnership(trx, user, input.id))
    return {}
  },
})
