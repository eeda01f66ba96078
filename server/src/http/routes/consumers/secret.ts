import { z } from 'zod'
import { viewConsumerSecret } from '../../../consumers/consumer-store.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'

export const readConsumerSecretOperation = scopedOperation('hooks', {
  id: 'readConsumerSecret',
  group: 'Consumers',
  role: 'developer',
  summary: 'Read consumer secret',
  description:
    'Returns the secret for `webhook-signature` in the requests of a consumer without a webhook. Each call is recorded in the audit log.',
  params: byId,
  response: z.object({ secret: z.string().meta({ description: 'Starts with `whsec_`.' }) }),
  errors: ['notFound', 'tooManyChanges'],
  async handle({ db, vault }, { caller, input }) {
    const account = { accountId: caller.accountId, actor: actorOf(caller) }
    return { secret: await viewConsumerSecret(db, vault, account, input.id) }
  },
})
