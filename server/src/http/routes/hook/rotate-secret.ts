import { z } from 'zod'
import { signingSecrets } from '../../../hooks/delivery-hooks.ts'
import { noSuchHook } from '../../../hooks/read-hook.ts'
import { rotateSecret } from '../../../hooks/rotate-secret.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'
import { timeOf } from './present.ts'

export const rotateHookSecret = scopedOperation('hooks', {
  id: 'rotateWebhookSecret',
  group: 'Manage webhooks',
  summary: 'Give a webhook a new secret',
  description:
    'From then on deliveries are signed with the new secret; for 24 hours they carry a signature by the old one as well, so that receivers can be changed without a gap.',
  params: byId,
  answer: z.object({ secret: z.string(), previous_until: z.iso.datetime().nullable() }),
  failures: ['notFound', 'tooManyChanges'],
  async handle({ db, vault, hookRules, onHooksChanged }, { caller, input }) {
    const { accountId } = caller
    await rotateSecret(db, accountId, actorOf(caller), input.id, hookRules.changes)
    onHooksChanged(accountId)
    const found = await signingSecrets(db, vault, accountId, input.id)
    if (found === undefined) throw noSuchHook(input.id)
    return { secret: found.secret, previous_until: timeOf(found.previousUntil) }
  },
})
