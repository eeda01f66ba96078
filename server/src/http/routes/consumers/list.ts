import { z } from 'zod'
import { listConsumers } from '../../../consumers/consumer-store.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { consumerResponse, presentConsumer } from './present.ts'

export const listConsumersOperation = scopedOperation('hooks:read', {
  id: 'listConsumers',
  group: 'Consumers',
  role: 'viewer',
  summary: 'List consumers',
  description: 'Lists the consumers of the account by name.',
  params: z.object({}),
  response: z.object({ consumers: z.array(consumerResponse) }),
  errors: [],
  async handle({ db, clock }, { caller }) {
    const consumers = await listConsumers(db, caller.accountId)
    return { consumers: consumers.map((consumer) => presentConsumer(consumer, clock.now())) }
  },
})
