import { z } from 'zod'
import { allow } from '../../oauth/interaction.ts'
import { personOperation } from '../../operation.ts'
import { interactionId, returnAnswer } from './params.ts'

export const allowInteraction = personOperation({
  id: 'allowInteraction',
  group: 'Apps',
  summary: 'Let an app in',
  description: 'Gives the app exactly the scopes that were shown, for your account.',
  params: z.object({ id: interactionId }),
  answer: returnAnswer,
  failures: ['notFound'],
  async handle({ oauth }, { input, person, origin }) {
    return { return_to: await allow(oauth, input.id, origin.headers, person) }
  },
})
