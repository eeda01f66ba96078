import { expect, test } from 'vitest'
import { addedEventTypes } from '../lib/added-event-types.ts'
import { deliverableTypes, eventTypeText, hookTypes, typesOfAll } from './event-types.ts'

const types = [
  { name: 'all', type: null, account_event: false },
  { name: 'rcs', type: 'rcs', account_event: false },
  { name: 'rcs_mo', type: 'rcs', account_event: false },
  { name: 'order', type: 'order', account_event: false },
  { name: 'webhook.failing', type: 'webhook.failing', account_event: true },
]

test('events have every type except all and parts of a type', () => {
  expect(deliverableTypes(types)).toEqual(['rcs', 'order', 'webhook.failing'])
})

test('a webhook of type all has every type except account events', () => {
  expect(typesOfAll(types)).toEqual(['rcs', 'order'])
})

test('a webhook is offered all names, and its own if it was removed', () => {
  expect(hookTypes(types, 'rcs')).toEqual(['all', 'rcs', 'rcs_mo', 'order', 'webhook.failing'])
  expect(hookTypes(types, 'gone')).toEqual(['all', 'rcs', 'rcs_mo', 'order', 'webhook.failing', 'gone'])
  expect(hookTypes(undefined, 'sms_mo')).toEqual(['sms_mo'])
})

test('an unknown type is shown as is, an added one with its label', () => {
  expect(eventTypeText('sms_mo').name).toBe('Inbound SMS')
  const unknown = { name: 'future', subject: 'future', verb: 'happens', filterField: null }
  expect(eventTypeText('future')).toEqual(unknown)
  addedEventTypes.set('future', { label: 'Future', hasFilterField: true })
  expect(eventTypeText('future')).toEqual({
    name: 'Future',
    subject: 'Future',
    verb: 'happens',
    filterField: 'value',
  })
})
