import { expect, test } from 'vitest'
import { builtInCatalog } from '../event-type/catalog.ts'
import { deliverableTypes } from '../event.ts'
import { maxFilterUnits } from './budget.ts'
import { compileFilter, filterInput, runFilter, validateFilter } from './event-filter.ts'
import { maxTypes, readTypeList, shareTypes, type TypeList, writeTypeList } from './type-list.ts'

const lists: TypeList[] = [
  { types: ['sms_mo'], filter: null },
  { types: ['sms_mo', 'dlr', 'shop.order'], filter: null },
  { types: ['sms_mo', 'dlr'], filter: 'cel:data.system == "49" || data.text.contains(")")' },
  { types: ['sms_mo', 'dlr'], filter: 'cel:(data.a) && (data.b)' },
  { types: ['sms_mo', 'dlr'], filter: 'cel:data.text == "a" // note' },
  { types: ['sms_mo', 'dlr'], filter: 'cel:data.url == "https://a" // (note)\n' },
  { types: ['sms_mo'], filter: 'cel:event.type in ["dlr"] && (true)' },
]

test.each(lists)('%j is a valid filter and is read as it was written', (list) => {
  const filter = writeTypeList(list)
  validateFilter(filter, 4_096)
  expect(readTypeList('all', filter)).toEqual(list)
})

test.each([
  null,
  '491701',
  'cel:true',
  'cel:event.type == "sms_mo"',
  'cel:event.type in ["sms_mo","dlr"]',
  'cel:event.type in ["sms_mo", "sms_mo"]',
  'cel:event.type in []',
  'cel: event.type in ["sms_mo"]',
  'cel:event.type in ["sms_mo"] || true',
  'cel:event.type in ["sms_mo"] && data.system == "49"',
  'cel:event.type in ["sms_mo"] && (data.a) || (data.b)',
  'cel:event.type in ["sms_mo"] && (data.a // \n) || (data.b)',
  'cel:event.type in ["SMS"]',
])('%j is not a list of types', (filter) => {
  expect(readTypeList('all', filter)).toBeUndefined()
})

test('only a webhook for all types has a list', () => {
  expect(readTypeList('sms_mo', 'cel:event.type in ["sms_mo"]')).toBeUndefined()
})

function run(filter: string, type: string, data: object = { text: 'hi' }) {
  const event = { id: '01938d5e-7c00-7000-8000-000000000001', accountId: 1, type, data: JSON.stringify(data) }
  const input = filterInput({ ...event, acceptedAt: new Date() }, builtInCatalog.traitsOf(type))
  return runFilter(compileFilter(filter), input, maxFilterUnits)
}

test('a list matches its types only', () => {
  const filter = writeTypeList({ types: ['sms_mo', 'dlr'], filter: null })
  expect(deliverableTypes.filter((type) => run(filter, type).matches)).toEqual(['sms_mo', 'dlr'])
})

test('the expression beside a list is evaluated only for its types', () => {
  const filter = writeTypeList({ types: ['sms_mo', 'dlr'], filter: 'cel:data.text == "hi"' })
  expect(run(filter, 'sms_mo').matches).toBe(true)
  expect(run(filter, 'sms_mo', { text: 'no' }).matches).toBe(false)
  expect(run(filter, 'tracking', {})).toMatchObject({ matches: false, why: 'filter' })
})

test('the longest list costs a small part of the smallest budget', () => {
  const types = Array.from({ length: maxTypes }, (_, index) => `${'x'.repeat(38)}${index}`)
  const filter = writeTypeList({ types, filter: null })
  expect(run(filter, 'sms_mo').units).toBeLessThan(10_000)
})

test('lists without a common type share no events', () => {
  const [sms, voice] = [['sms_mo', 'dlr'], ['voice_call']].map((types) => ({ types, filter: null }))
  expect(shareTypes(sms, voice)).toBe(false)
  expect(shareTypes(sms, { types: ['dlr'], filter: null })).toBe(true)
  expect(shareTypes(sms, undefined)).toBe(true)
})
