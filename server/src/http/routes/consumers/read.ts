import { readConsumer } from '../../../consumers/consumer-store.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'
import { oneConsumer, presentConsumer } from './present.ts'

export const readConsumerOperation = scopedOperation('hooks:read', {
  id: 'readConsumer',
  group: 'Consumers',
  role: 'viewer',
  summary: 'Read a consumer',
  description: 'Returns the settings, the position and the lease of a consumer.',
  params: byId,
  response: oneConsumer,
  errors: ['notFound'],
  async handle({ db, clock }, { caller, input }) {
    return { consumer: presentConsumer(await readConsumer(db, caller.accountId, input.id), clock.now()) }
  },
})
