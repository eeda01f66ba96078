import { z } from 'zod'
import { editConsumer, readConsumer } from '../../../consumers/consumer-store.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId, readSettings, settingsParams } from './params.ts'
import { oneConsumer, presentConsumer } from './present.ts'

export const editConsumerOperation = scopedOperation('hooks', {
  id: 'editConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Edit a consumer',
  description: 'Changes the given settings of a consumer. Its position and its lease stay.',
  params: byId.extend(z.object(settingsParams).partial().shape),
  response: oneConsumer,
  errors: ['notFound', 'invalidFilter', 'consumerExists', 'tooManyChanges'],
  async handle(deps, { caller, input }) {
    const { db, clock } = deps
    const { accountId } = caller
    const current = await readConsumer(db, accountId, input.id)
    const settings = await readSettings(deps, accountId, input, current)
    const edited = await editConsumer(db, { accountId, actor: actorOf(caller) }, input.id, settings)
    return { consumer: presentConsumer(edited, clock.now()) }
  },
})
