import { z } from 'zod'
import { deleteConsumer } from '../../../consumers/consumer-store.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'

export const deleteConsumerOperation = scopedOperation('hooks', {
  id: 'deleteConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Delete a consumer',
  description: 'Deletes a consumer with its position. Events stay in the ledger.',
  params: byId,
  response: z.object({}),
  errors: ['notFound'],
  async handle({ db }, { caller, input }) {
    await deleteConsumer(db, { accountId: caller.accountId, actor: actorOf(caller) }, input.id)
    return {}
  },
})
