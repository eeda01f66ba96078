/** Which hook wants which event, and the reason where it does not. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliverableType, Event } from '../../model/event.ts'
import { filterInput, judgeFilter } from '../../model/event-filter.ts'
import { type EventType, eventTypes } from '../../model/hook.ts'
import { maxFilterUnits } from '../../model/filter/budget.ts'
import { type Match, matchHook } from './match.ts'

const deliverableTypes = eventTypes.filter((type) => type !== 'all')

type Unmetered<Result> = Result extends unknown ? Omit<Result, 'units'> : never

function match(
  eventType: EventType,
  filter: string | null,
  data: Record<string, unknown>,
  type: DeliverableType = 'sms_mo',
): Unmetered<Match> {
  if (filter !== null) judgeFilter(filter, 1_024)
  const event: Event = {
    id: '01938d5e-7c00-7000-8000-000000000001',
    accountId: 1,
    type,
    data: JSON.stringify(data),
    acceptedAt: new Date('2026-11-15T09:30:00Z'),
  }
  const { units, ...result } = matchHook({ eventType, filter }, filterInput(event), maxFilterUnits)
  expect(units).toBeGreaterThanOrEqual(0)
  return result
}

describe('the type', () => {
  test.each(deliverableTypes)('%s is wanted by hooks of that type and of all, and by no other', (type) => {
    const wanting = eventTypes.filter((eventType) => match(eventType, null, {}, type).matches)
    expect(wanting).toEqual(['all', type])
  })

  test('is named as the reason, whatever the filter says', () => {
    expect(match('dlr', 'cel:true', { system: '1' })).toEqual({ matches: false, why: 'type' })
  })
})

describe('plain values', () => {
  test.each([
    ['491701', '491701'],
    ['491701', '+491701'],
    ['+491701', '491701'],
    ['00491701', '491701'],
    ['491701', '00491701'],
    ['+49 170 1', '0049 1701'],
    ['4999,491701', '491701'],
    ['4999, +49 1701 ,5', '491701'],
    ['491701', 491_701],
    ['0', 0],
    ['SHOP', 'SHOP'],
    [' SHOP ,x', 'SHOP'],
    ['My Shop', 'My Shop'],
    ['00', '00'],
  ])('%j wants an event that came in on %j', (filter, system) => {
    expect(match('sms_mo', filter, { system })).toEqual({ matches: true })
  })

  test.each([
    ['491701', '4917011'],
    ['491701', '49170'],
    ['491701', '0491701'],
    ['491701', '++491701'],
    ['491701', '49170l'],
    ['SHOP', 'shop'],
    ['My Shop', 'MyShop'],
    ['S', 'SHOP'],
    ['491701', ''],
    ['[object Object]', '{}'],
  ])('%j does not want an event that came in on %j', (filter, system) => {
    expect(match('sms_mo', filter, { system })).toEqual({ matches: false, why: 'filter', saw: system })
  })

  test.each([
    ['absent', {}],
    ['null', { system: null }],
    ['true', { system: true }],
    ['a list', { system: ['491701'] }],
    ['an object', { system: { toString: '491701' } }],
    ['in another field', { sender: '491701', agent_id: '491701' }],
  ])('want no event whose inbound number is %s', (_what, data) => {
    expect(match('sms_mo', '491701,null,true', data)).toEqual({ matches: false, why: 'filter', saw: null })
  })

  test('look at the agent of RCS and at nothing else of it', () => {
    expect(match('rcs', 'agent-1', { agent_id: 'agent-1' }, 'rcs')).toEqual({ matches: true })
    expect(match('all', 'agent-1', { agent_id: 'agent-2', system: 'agent-1' }, 'rcs')).toEqual({
      matches: false,
      why: 'filter',
      saw: 'agent-2',
    })
  })
})

describe('expressions', () => {
  test.each([
    'cel:true',
    'cel:data.system == "491701"',
    'cel:event.type == "sms_mo" && data.text.startsWith("STOP")',
    'cel:event.id == "01938d5e-7c00-7000-8000-000000000001"',
    'cel:event.accepted_at < timestamp("2026-11-15T09:30:01Z")',
    'cel:has(data.parts) && size(data.parts) == 2',
    'cel:data.parts.exists(part, part == "b")',
    'cel:data.count == 3',
    'cel:data.count > 2',
    'cel:data.price == 0.075',
    'cel:data.is_test',
    'cel:data.nothing == null',
    'cel:!has(data.missing)',
  ])('%s matches', (filter) => {
    const data = {
      system: '491701',
      text: 'STOP now',
      parts: ['a', 'b'],
      count: 3,
      price: 0.075,
      is_test: true,
      nothing: null,
    }
    expect(match('all', filter, data)).toEqual({ matches: true })
  })

  test.each([
    ['false', 'cel:data.system == "2"', { system: '1' }, 'false'],
    ['a text', 'cel:data.system', { system: 'true' }, 'a text'],
    ['a number', 'cel:data.count', { count: 1 }, 'a number'],
    ['a whole number', 'cel:true ? int(data.count) : data.count', { count: 1 }, 'a number'],
    ['a list', 'cel:data.list', { list: [true] }, 'a list'],
    ['a map', 'cel:data.map', { map: { true: true } }, 'neither true nor false'],
    ['a time', 'cel:true ? event.accepted_at : data.system', {}, 'a time'],
    ['null', 'cel:data.nothing', { nothing: null }, 'null'],
  ])('that answer %s do not match, and the kind of answer is the reason', (_what, filter, data, saw) => {
    expect(match('all', filter, data)).toEqual({ matches: false, why: 'filter', saw })
  })

  test.each([
    ['a missing field', 'cel:data.missing == 1', {}, /^No such key: data.missing$/],
    ['a value of another type', 'cel:data.text.startsWith("a")', { text: 5 }, /startsWith/],
    ['a division by zero', 'cel:1 / int(data.zero) == 1', { zero: 0 }, /division by zero/i],
    ['a name that all objects have', 'cel:data.constructor == 1', {}, /^No such key: data.constructor$/],
    ['the prototype', 'cel:data.__proto__ == 1', {}, /^No such key: data.__proto__$/],
  ])('that fail by %s do not match, and the error is the reason', (_what, filter, data, why) => {
    expect(match('all', filter, data)).toEqual({
      matches: false,
      why: 'filter_error',
      error: expect.stringMatching(why),
    })
  })

  test('give an error of one line', () => {
    const result = match('all', 'cel:data.missing ==\n\n1', {})
    expect('error' in result && result.error.split('\n')).toHaveLength(1)
  })
})

describe('whatever an event holds', () => {
  const filters = [
    null,
    '491701',
    'agent-1, SHOP',
    'cel:data.system == "491701"',
    'cel:data.text.contains("x") || size(data.list) > 1',
    'cel:data.list.exists(item, item == data.system)',
    'cel:data["a b"]',
    'cel:int(data.system) + 1 > 2',
    'cel:data == event',
    'cel:string(data.system) == "x" ? data.text : data.list',
  ]
  const name = fc.constantFrom(
    'system',
    'agent_id',
    'text',
    'list',
    'a b',
    '__proto__',
    'constructor',
    'toString',
    '',
  )
  const anything = fc.jsonValue({ maxDepth: 4 })
  const data = fc
    .oneof(fc.dictionary(name, anything), fc.dictionary(fc.string(), anything))
    // As an event is read: from text.
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

  test('matching answers and never throws, and leaves the event as it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...filters),
        fc.constantFrom(...deliverableTypes),
        data,
        (filter, type, value) => {
          const before = JSON.stringify(value)
          const { matches } = match('all', filter, value, type)
          expect(matches).toBeTypeOf('boolean')
          expect(JSON.stringify(value)).toBe(before)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  test('a number matches however it is written', () => {
    const digits = fc.stringMatching(/^[1-9]\d{4,14}$/)
    const spelling = fc.tuple(fc.constantFrom('', '+', '00', '+ ', '00 '), digits, fc.nat({ max: 5 }))
    fc.assert(
      fc.property(spelling, fc.constantFrom('', '+', '00'), ([prefix, number, at], otherPrefix) => {
        const spaced = `${prefix}${number.slice(0, at)} ${number.slice(at)}`
        expect(match('sms_mo', `7,${spaced}`, { system: `${otherPrefix}${number}` })).toEqual({
          matches: true,
        })
        expect(match('sms_mo', `7,${spaced}`, { system: `${otherPrefix}${number}1` }).matches).toBe(false)
      }),
    )
  })
})
