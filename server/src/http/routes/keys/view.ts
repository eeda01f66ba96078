import { z } from 'zod'
import { readKeyDetails } from '../../../identity/keys/list-keys.ts'
import { viewKey } from '../../../identity/keys/view-key.ts'
import { isScope } from '../../../model/caller.ts'
import { ApiError } from '../../../model/errors.ts'
import { rejectMissingScopes } from '../../auth/require-role.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { id } from '../fields.ts'
import { requireOwn } from '../require-own.ts'
import { secretSchema } from './present.ts'

export const viewKeyOperation = sessionOperation({
  id: 'viewKey',
  group: 'API keys',
  role: 'developer',
  summary: 'Reveal API key',
  description:
    'Returns the full API key. Requires the password or a passkey, and is recorded in the audit log.',
  params: z.object({ id, ...confirmation }),
  response: z.object({ secret: secretSchema }),
  errors: [
    'csrfFailed',
    'wrongPassword',
    'invalidPasskey',
    'ssoConfirmationRequired',
    'notFound',
    'keyNotViewable',
  ],
  async handle(deps, { input, user, origin }) {
    const { accountId, loginId } = user
    const notFound = new ApiError('notFound', `API key ${input.id} not found or revoked.`)
    const key = await readKeyDetails(deps.db, accountId, input.id)
    if (key === undefined || key.revokedAt !== null) throw notFound
    await requireOwn(deps.db, user, `key:${input.id}`)
    rejectMissingScopes(user.member, key.scopes.filter(isScope))
    await requireConfirmation(deps, user, input, origin)
    const secret = await viewKey(deps.db, deps.vault, `login:${loginId}`, {
      accountId,
      keyId: input.id,
      ip: origin.ip,
    })
    if (secret === undefined) throw notFound
    return { secret }
  },
})
