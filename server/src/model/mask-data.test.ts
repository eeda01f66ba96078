import { expect, test } from 'vitest'
import { builtInTraits } from './event-traits.ts'
import { maskData } from './mask-data.ts'

test('numbers and texts are masked, also in unknown and nested fields; ids and states stay', () => {
  const data = {
    id: 77001,
    sender: '491700000001',
    system: '491700000002',
    text: 'My code is 482913',
    status: 'DELIVERED',
    time: '1731656400',
    dtmf_digit: 5,
    never_heard_of: { id: 'secret of a person', list: ['491700000001', true, null] },
    status_text: 'DELIVERED to 491700000001',
  }
  expect(JSON.parse(maskData(JSON.stringify(data), builtInTraits.sms_mo.publicFields))).toEqual({
    id: 77001,
    sender: '4917••••••01',
    system: '4917••••••02',
    text: 'My c•••••••••••13',
    status: 'DELIVERED',
    time: '1731656400',
    dtmf_digit: '•',
    never_heard_of: { id: 'secr••••••••••••on', list: ['4917••••••01', true, null] },
    status_text: 'DELI•••••••••••••••••••01',
  })
})

test('a field that is usually plain is masked if its value is an object', () => {
  expect(maskData('{"status":{"text":"491700000001"}}', builtInTraits.sms_mo.publicFields)).toBe(
    '{"status":{"text":"4917••••••01"}}',
  )
})
