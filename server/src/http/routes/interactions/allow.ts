import { z } from 'zod'
import { allow } from '../../oauth/interaction.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { interactionId, returnedResponse } from './params.ts'

export const allowInteractionOperation = sessionOperation({
  id: 'allowInteraction',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'Authorize app',
  description: 'Grants the app the requested scopes for your account.',
  params: z.object({ id: interactionId }),
  response: returnedResponse,
  errors: ['notFound'],
  async handle(deps, { input, user, origin }) {
    return { return_to: await allow(deps, input.id, origin.headers, user) }
  },
})
