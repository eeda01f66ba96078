import { z } from 'zod'
import { switchSigningKey } from '../../../hooks/signing-key.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { presentSigningKeys, signingKeysResponse } from './present.ts'

export const switchSigningKeyOperation = scopedOperation('hooks', {
  id: 'switchSigningKey',
  group: 'Signing key',
  role: 'admin',
  summary: 'Switch to the next signing key',
  description: 'Ends the rotation: the next key replaces the current one, which is no longer valid.',
  params: z.object({}),
  response: signingKeysResponse,
  errors: ['notFound', 'tooManyChanges'],
  takesIdempotencyKey: true,
  async handle({ db, vault, hookLimits, onHooksChanged }, { caller }) {
    const { accountId } = caller
    const keys = await switchSigningKey(db, vault, actorOf(caller), accountId, hookLimits.changes)
    onHooksChanged(accountId)
    return presentSigningKeys(keys)
  },
})
