import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { signingSecrets } from '../../../hooks/delivery-hooks.ts'
import { noSuchHook } from '../../../hooks/read-hook.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'
import { timeOf } from './present.ts'

export const readSecret = scopedOperation('hooks', {
  id: 'readWebhookSecret',
  group: 'Manage webhooks',
  summary: 'See what a receiver verifies with',
  description:
    "The webhook's secret for `webhook-signature` and the account's key for `x-signature`. Every view is in the audit log.",
  params: byId,
  answer: z.object({
    secret: z.string().meta({ description: 'Begins with `whsec_`.' }),
    signature_key: z.string(),
    rotated_at: z.iso.datetime().nullable(),
    previous_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until then deliveries carry a signature by the secret before this one too.' }),
  }),
  failures: ['notFound'],
  handle: ({ db, vault }, { caller, input }) =>
    db.transaction().execute(async (trx) => {
      const { accountId } = caller
      const found = await signingSecrets(trx, vault, accountId, input.id)
      if (found === undefined) throw noSuchHook(input.id)
      const entry = { action: 'hook.secret.view', subject: `hook:${input.id}` }
      await recordAudit(trx, { accountId, actor: actorOf(caller), ...entry })
      return {
        secret: found.secret,
        signature_key: found.signatureKey,
        rotated_at: timeOf(found.rotatedAt),
        previous_until: timeOf(found.previousUntil),
      }
    }),
})
