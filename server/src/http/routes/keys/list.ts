import { z } from 'zod'
import { listKeyDetails } from '../../../identity/keys/list-keys.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { findManageable } from '../require-own.ts'
import { keySchema, presentKey } from './present.ts'

export const listKeysOperation = sessionOperation({
  id: 'listKeys',
  group: 'API keys',
  role: 'developer',
  summary: 'List API keys',
  description: 'Lists the API keys of your account, newest first. Revoked keys are last.',
  params: z.object({}),
  response: z.object({ keys: z.array(keySchema) }),
  errors: [],
  async handle({ db }, { user }) {
    const keys = await listKeyDetails(db, user.accountId)
    const isManageable = await findManageable(db, user)
    return { keys: keys.map((key) => presentKey(key, isManageable(`key:${key.id}`))) }
  },
})
