import { z } from 'zod'
import { rotateSigningKey } from '../../../hooks/signing-key.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { presentSigningKeys, signingKeysResponse } from './present.ts'

export const rotateSigningKeyOperation = scopedOperation('hooks', {
  id: 'rotateSigningKey',
  group: 'Signing key',
  role: 'admin',
  summary: 'Rotate signing key',
  description:
    'Creates the next key. For 24 hours, deliveries are signed with both keys: `X-Signature` uses the current key and `X-Hookline-Next-Signature` the next one. Calls can be signed with either. Then the next key replaces the current one. A rotation during another one replaces its next key.',
  params: z.object({}),
  response: signingKeysResponse,
  errors: ['tooManyChanges'],
  takesIdempotencyKey: true,
  async handle({ db, vault, hookLimits, onHooksChanged }, { caller }) {
    const { accountId } = caller
    const keys = await rotateSigningKey(db, vault, actorOf(caller), accountId, hookLimits.changes)
    onHooksChanged(accountId)
    return presentSigningKeys(keys)
  },
})
