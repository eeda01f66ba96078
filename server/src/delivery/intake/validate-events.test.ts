/** Tests the messages for producers. server/test/delivery/intake.test.ts tests the whole call. */
import { expect, test } from 'vitest'
import { deliverableTypes } from '../../model/event.ts'
import { sampleData } from '../../model/sample-events.ts'
import { validateEvents } from './validate-events.ts'

const limits = { eventsPerCall: 10, eventBytes: 1_000 }
const data = { id: 1, sender: '4917', system: '4930', text: 'Hello', time: '1' }
const event = { account_id: 1, type: 'sms_mo', data }

test.each<[unknown, string]>([
  ['event', 'An event must be an object.'],
  [{ ...event, account_id: undefined }, '"account_id" is missing.'],
  [{ ...event, account_id: '1' }, '"account_id" must be a positive whole number.'],
  [{ ...event, account_id: -1 }, '"account_id" must be a positive whole number.'],
  [{ ...event, data: [] }, '"data" must be an object.'],
  [{ ...event, data: { ...data, id: undefined } }, '"data.id" is missing.'],
  [{ ...event, data: { ...data, id: true } }, '"data.id" must be a string or a number.'],
  [{ ...event, data: { ...data, sender: 4917 } }, '"data.sender" must be a string.'],
  [{ ...event, data: { ...data, message_type: 'MMS' } }, '"data.message_type" must be SMS.'],
  [
    { ...event, type: 'tracking', data: { type: 'open', sms_id: 1 } },
    '"data.type" must be one of click, view.',
  ],
  [{ ...event, key: '' }, '"key" must have 1 to 128 characters.'],
  [{ ...event, key: 7 }, '"key" must be a string.'],
  [
    { ...event, type: 'rcs', data: {} },
    '"data" must be a status (msg_id, agent_id, sender, status, timestamp) or a message (id, agent_id, sender, time, message_type, content_type) with valid values.',
  ],
])('%j is rejected with %j', (input, message) => {
  const [rejected] = validateEvents(JSON.stringify({ events: [input] }), limits)
  expect(rejected).toEqual({ reason: 'parameterInvalid', message })
})

test('a valid event passes with the text of its data', () => {
  const [valid] = validateEvents(JSON.stringify({ events: [event] }), limits)
  expect(valid).toMatchObject({ accountId: 1, type: 'sms_mo', data: JSON.stringify(data), messageId: '1' })
})

test.each(deliverableTypes)('the sample of %s is a valid event', (type) => {
  const sample = { account_id: 1, type, data: sampleData[type] }
  const [valid] = validateEvents(JSON.stringify({ events: [sample] }), limits)
  expect(valid).toMatchObject({ type })
})
