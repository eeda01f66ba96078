import { z } from 'zod'
import { endAuthorization } from '../../../identity/oauth/end-grant.ts'
import { Refusal } from '../../../model/errors.ts'
import { personOperation } from '../../operation.ts'

export const revokeAuthorization = personOperation({
  id: 'revokeAuthorization',
  group: 'Apps',
  summary: 'Take access back',
  description: 'Every token that the app has for your account ends at once.',
  params: z.object({ id: z.string().meta({ description: 'The id of the app.' }) }),
  answer: z.object({}),
  failures: ['notFound'],
  async handle({ db }, { person, input }) {
    if (!(await endAuthorization(db, `login:${person.loginId}`, person.accountId, input.id)))
      throw new Refusal('notFound', 'No such app has access to your account.')
    return {}
  },
})
