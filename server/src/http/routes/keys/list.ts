import { z } from 'zod'
import { showKeys } from '../../../identity/keys/list-keys.ts'
import { personOperation } from '../../operation.ts'
import { keySchema, presentKey } from './present.ts'

export const listOwnKeys = personOperation({
  id: 'listKeys',
  group: 'Keys',
  summary: 'List API keys',
  description: 'The API keys of your account, newest first, revoked ones last.',
  params: z.object({}),
  answer: z.object({ keys: z.array(keySchema) }),
  failures: [],
  async handle({ db }, { person }) {
    const keys = await showKeys(db, person.accountId)
    return { keys: keys.map(presentKey) }
  },
})
