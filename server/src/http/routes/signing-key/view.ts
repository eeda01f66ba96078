import { z } from 'zod'
import { viewSigningKeys } from '../../../hooks/signing-key.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { presentSigningKeys, signingKeysResponse } from './present.ts'

export const viewSigningKeyOperation = scopedOperation('hooks', {
  id: 'viewSigningKey',
  group: 'Signing key',
  role: 'developer',
  summary: 'Reveal signing key',
  description: 'Returns the signing key of the account. Each call is recorded in the audit log.',
  params: z.object({}),
  response: signingKeysResponse,
  errors: ['tooManyChanges'],
  async handle({ db, vault }, { caller }) {
    return presentSigningKeys(await viewSigningKeys(db, vault, actorOf(caller), caller.accountId))
  },
})
