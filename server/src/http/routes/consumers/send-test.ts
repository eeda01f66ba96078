import { z } from 'zod'
import { sendTestToConsumer } from '../../../consumers/send-test.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { unknownType } from '../contract/params.ts'
import { readTestEvent, testDataParam } from '../hooks/test-event.ts'
import { byId } from './params.ts'

export const testConsumerOperation = scopedOperation('hooks', {
  id: 'testConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Send test event',
  description:
    'Stores a sample event that this consumer gets with its next poll, whatever its filter is. No webhook gets it. Its request has the header `x-hookline-test: 1`.',
  params: byId.extend({ event_type: z.string().default('sms_mo'), data: testDataParam }),
  response: z.object({ event_id: z.uuid() }),
  errors: ['notFound', 'tooManyChanges'],
  takesIdempotencyKey: true,
  storesEvents: true,
  async handle({ db, eventTypes, onCommitted }, { caller, input }) {
    const catalog = eventTypes.current()
    if (!catalog.hookTypes.includes(input.event_type) || input.event_type === 'all')
      throw unknownType('event_type', catalog.types)
    const event = await readTestEvent({ db, catalog }, caller.accountId, input.event_type, input.data)
    const eventId = await sendTestToConsumer(db, input.id, event)
    onCommitted({ isInboxUsed: false })
    return { event_id: eventId }
  },
})
