import { z } from 'zod'
import { transferOwnership } from '../../../identity/members/members.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { requirePassword } from '../confirm-password.ts'
import { password, pathId } from '../fields.ts'

export const transferOwnershipOperation = sessionOperation({
  id: 'transferOwnership',
  group: 'Members',
  role: 'owner',
  summary: 'Transfer ownership',
  description: 'Makes another member an owner and you an admin, at the same time. Requires the password.',
  params: z.object({ id: pathId('Id of the login that becomes an owner.'), password }),
  response: z.object({}),
  errors: ['csrfFailed', 'wrongPassword', 'notFound'],
  async handle(deps, { input, user, origin }) {
    await requirePassword(deps, user, input.password, origin)
    await deps.db.transaction().execute((trx) => transferOwnership(trx, user, input.id))
    return {}
  },
})
