import { z } from 'zod'
import { rotateSecret } from '../../../identity/oauth/apps.ts'
import { personOperation } from '../../operation.ts'
import { appId, ownerOf } from './present.ts'

export const rotateAppSecret = personOperation({
  id: 'rotateAppSecret',
  group: 'Apps',
  summary: 'Replace the secret of an app',
  description: 'The new one is shown this once; the old one ends at once. Tokens stay.',
  params: z.object({ id: appId }),
  answer: z.object({ secret: z.string() }),
  failures: ['parameterInvalid', 'notFound'],
  async handle({ db, vault }, { person, input }) {
    return { secret: await rotateSecret(db, vault, ownerOf(person), input.id) }
  },
})
