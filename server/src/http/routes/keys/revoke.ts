import { z } from 'zod'
import { revokeKey } from '../../../identity/keys/revoke-key.ts'
import { Refusal } from '../../../model/errors.ts'
import { personOperation } from '../../operation.ts'
import { id } from '../fields.ts'

export const revokeOwnKey = personOperation({
  id: 'revokeKey',
  group: 'Keys',
  summary: 'Revoke an API key',
  description: 'Ends an API key of your account for good, on every process at once.',
  params: z.object({ id }),
  answer: z.object({}),
  failures: ['crossSite', 'notFound'],
  async handle({ db }, { input, person }) {
    if (!(await revokeKey(db, `login:${person.loginId}`, input.id, person.accountId)))
      throw new Refusal('notFound', `There is no API key ${input.id} that can be revoked.`)
    return {}
  },
})
