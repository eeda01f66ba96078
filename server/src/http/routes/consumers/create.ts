import { z } from 'zod'
import { createConsumer } from '../../../consumers/consumer-store.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { readNewSettings, settingsParams } from './params.ts'
import { oneConsumer, presentConsumer } from './present.ts'
import { findPosition, seekTarget } from './seek.ts'

export const createConsumerOperation = scopedOperation('hooks', {
  id: 'createConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Create a consumer',
  description:
    'A consumer fetches events by polls, in commit order, so it needs no public URL. It starts with events that are accepted after its creation, unless `from` is set. It gets the same requests as a webhook, signed with the secret of its webhook or with its own.',
  params: z.object({ ...settingsParams, from: seekTarget.default('newest') }),
  response: oneConsumer,
  errors: ['notFound', 'invalidFilter', 'consumerExists', 'tooManyConsumers', 'tooManyChanges'],
  takesIdempotencyKey: true,
  async handle(deps, { caller, input }) {
    const { db, vault, clock } = deps
    const { accountId } = caller
    const settings = await readNewSettings(deps, accountId, input)
    const position = await findPosition(db, accountId, input.from)
    const account = { accountId, actor: actorOf(caller) }
    const consumer = await createConsumer(db, vault, account, settings, position)
    return { consumer: presentConsumer(consumer, clock.now()) }
  },
})
