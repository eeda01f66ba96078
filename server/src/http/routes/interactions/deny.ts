import { z } from 'zod'
import { deny } from '../../oauth/interaction.ts'
import { openOperation } from '../../operation.ts'
import { interactionId, returnAnswer } from './params.ts'

export const denyInteraction = openOperation({
  id: 'denyInteraction',
  group: 'Apps',
  summary: 'Do not let an app in',
  description: 'The app is told so. Nobody needs to sign in to say no.',
  params: z.object({ id: interactionId }),
  answer: returnAnswer,
  failures: ['notFound'],
  async handle({ oauth }, { input, origin }) {
    return { return_to: await deny(oauth, input.id, origin.headers) }
  },
})
