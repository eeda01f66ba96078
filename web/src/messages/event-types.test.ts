import { expect, test } from 'vitest'
import { deliverableTypes, eventTypes, eventTypeText } from './event-types.ts'

test('events have every type except all', () => {
  expect(eventTypes).toContain('all')
  expect(deliverableTypes).toEqual(eventTypes.filter((type) => type !== 'all'))
})

test('an unknown type is shown as is', () => {
  expect(eventTypeText('sms_mo').name).toBe('Inbound SMS')
  expect(eventTypeText('future')).toEqual({
    name: 'future',
    subject: 'future',
    verb: 'happens',
    filterField: null,
  })
})
