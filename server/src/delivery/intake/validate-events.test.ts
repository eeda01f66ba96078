/** Tests the messages for producers. server/test/delivery/intake.test.ts tests the whole call. */
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { deliverableTypes } from '../../model/event.ts'
import { builtInCatalog } from '../../model/event-type/catalog.ts'
import { validateEvents as validateEventsOf } from './validate-events.ts'

const limits = { eventsPerCall: 10, eventBytes: 1_000 }
const validateEvents = (body: string) => validateEventsOf(body, limits, builtInCatalog)
const data = { id: 1, sender: '4917', system: '4930', text: 'Hello', time: '1' }
const event = { account_id: 1, type: 'sms_mo', data }

const rcsMessage = { id: 7, agent_id: 'a', sender: '49', time: 1, content_type: 'text', text: 'Hi' }
const rcsStatus = { msg_id: '7', agent_id: 'a', sender: '49', status: 'READ', timestamp: '1' }

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
    '"data" must be a status (msg_id, agent_id, sender, status, timestamp) or a message (id, agent_id, sender, time, content_type) with valid values.',
  ],
  [{ ...event, type: 'wa_mo', data: { id: 1, sender: '49', time: 1 } }, '"data.system" is missing.'],
  [{ ...event, type: 'rcs_mo', data: rcsStatus }, '"data.id" is missing.'],
  [{ ...event, type: 'rcs_dlr', data: rcsMessage }, '"data.msg_id" is missing.'],
  [
    { ...event, type: 'rcs_dlr', data: { ...rcsStatus, content_type: 'text' } },
    '"data.content_type" must be absent.',
  ],
])('%j is rejected with %j', async (input, message) => {
  const [rejected] = await validateEvents(JSON.stringify({ events: [input] }))
  expect(rejected).toEqual({ reason: 'parameterInvalid', message })
})

test('a valid event passes with the text of its data', async () => {
  const complete = { ...data, message_type: 'SMS' }
  const [valid] = await validateEvents(JSON.stringify({ events: [{ ...event, data: complete }] }))
  expect(valid).toMatchObject({
    accountId: 1,
    type: 'sms_mo',
    data: JSON.stringify(complete),
    messageId: '1',
  })
})

test.each([
  ['sms_mo', data, ',"message_type":"SMS"}'],
  ['rcs', rcsMessage, ',"message_type":"RCS"}'],
  ['rcs', rcsStatus, '}'],
  ['rcs', { ...rcsMessage, message_type: 'RCS' }, '}'],
  ['rcs_mo', rcsMessage, ',"message_type":"RCS"}'],
  ['rcs_dlr', rcsStatus, '}'],
])('the data of %s %j ends with %s', async (type, input, ending) => {
  const [valid] = await validateEvents(JSON.stringify({ events: [{ account_id: 1, type, data: input }] }))
  expect(valid).toMatchObject({ data: JSON.stringify(input).slice(0, -1) + ending })
})

test.each([
  ['rcs_mo', rcsMessage],
  ['rcs_dlr', rcsStatus],
])('%s is stored as rcs, with the digest of rcs', async (type, input) => {
  const call = (name: string) =>
    validateEvents(JSON.stringify({ events: [{ account_id: 1, type: name, data: input, key: 'k' }] }))
  expect(await call(type)).toMatchObject([{ type: 'rcs' }])
  expect(await call(type)).toEqual(await call('rcs'))
})

test('the digest is that of the data as sent', async () => {
  const [valid] = await validateEvents(JSON.stringify({ events: [{ ...event, key: 'k' }] }))
  expect(valid).toMatchObject({ digest: hash('sha256', `sms_mo\n${JSON.stringify(data)}`) })
})

test.each(deliverableTypes)('the sample of %s is a valid event', async (type) => {
  const sample = { account_id: 1, type, data: builtInCatalog.sampleOf(type) }
  const [valid] = await validateEvents(JSON.stringify({ events: [sample] }))
  expect(valid).toMatchObject({ type })
})
