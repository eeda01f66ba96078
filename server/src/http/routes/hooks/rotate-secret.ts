import { z } from 'zod'
import { signingSecrets } from '../../../hooks/open-secrets.ts'
import { hookNotFound } from '../../../hooks/read-hook.ts'
import { rotateSecret } from '../../../hooks/rotate-secret.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'
import { timeOf } from './present.ts'

export const rotateWebhookSecretOperation = scopedOperation('hooks', {
  id: 'rotateWebhookSecret',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Rotate webhook secret',
  description:
    'Creates a new secret that signs all further deliveries. For 24 hours, deliveries also carry a signature with the old secret, so that receivers can switch without errors.',
  params: byId,
  response: z.object({ secret: z.string(), previous_until: z.iso.datetime().nullable() }),
  errors: ['notFound', 'tooManyChanges'],
  takesIdempotencyKey: true,
  async handle({ db, vault, hookLimits, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    await rotateSecret(db, vault, accountId, actorOf(caller), input.id, hookLimits.changes)
    onHooksChanged(accountId)
    const found = await signingSecrets(db, vault, accountId, input.id)
    if (found === undefined) throw hookNotFound(input.id)
    return { secret: found.secret, previous_until: timeOf(found.previousUntil) }
  },
})
