import { z } from 'zod'
import { hookNotFound } from '../../../hooks/read-hook.ts'
import { viewSecrets } from '../../../hooks/view-secrets.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'
import { timeOf } from './present.ts'

export const readWebhookSecretOperation = scopedOperation('hooks', {
  id: 'readWebhookSecret',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Read webhook secret',
  description:
    'Returns the webhook secret for `webhook-signature` and the account key for `x-signature`. Each call is recorded in the audit log.',
  params: byId,
  response: z.object({
    secret: z.string().meta({ description: 'Starts with `whsec_`.' }),
    signing_key: z.string().meta({ description: 'The key of the account for `x-signature`.' }),
    rotated_at: z.iso.datetime().nullable(),
    previous_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until this time, deliveries also carry a signature with the previous secret.' }),
  }),
  errors: ['notFound'],
  async handle({ db, vault }, { caller, input }) {
    const hook = { accountId: caller.accountId, hookId: input.id }
    const found = await viewSecrets(db, vault, actorOf(caller), hook)
    if (found === undefined) throw hookNotFound(input.id)
    return {
      secret: found.secret,
      signing_key: found.signingKey,
      rotated_at: timeOf(found.rotatedAt),
      previous_until: timeOf(found.previousUntil),
    }
  },
})
