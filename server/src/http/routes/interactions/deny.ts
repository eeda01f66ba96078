import { z } from 'zod'
import { deny } from '../../oauth/interaction.ts'
import { publicOperation } from '../../operation/operation.ts'
import { interactionId, returnedResponse } from './params.ts'

export const denyInteractionOperation = publicOperation({
  id: 'denyInteraction',
  group: 'OAuth apps',
  summary: 'Deny app',
  description: 'Denies the authorization request and notifies the app. Works without sign-in.',
  params: z.object({ id: interactionId }),
  response: returnedResponse,
  errors: ['notFound'],
  async handle({ oauth }, { input, origin }) {
    return { return_to: await deny(oauth, input.id, origin.headers) }
  },
})
