import { z } from 'zod'
import { rotateSecret } from '../../../identity/oauth/apps.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { appId, publisherOf } from './present.ts'
import { requireOwn } from '../require-own.ts'

export const rotateAppSecretOperation = sessionOperation({
  id: 'rotateAppSecret',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'Rotate client secret',
  description:
    'Returns a new client secret, which is shown only once. The old secret stops working immediately. Tokens stay valid.',
  params: z.object({ id: appId }),
  response: z.object({ secret: z.string() }),
  errors: ['parameterInvalid', 'notFound'],
  takesIdempotencyKey: true,
  async handle({ db, vault }, { user, input }) {
    await requireOwn(db, user, `app:${input.id}`)
    return { secret: await rotateSecret(db, vault, publisherOf(user), input.id) }
  },
})
