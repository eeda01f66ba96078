/** Tests which hooks match which events, and the reason where they do not. */
import { builtInCatalog } from '../../model/event-type/catalog.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliverableType, Event } from '../../model/event.ts'
import { filterInput, validateFilter } from '../../model/filter/event-filter.ts'
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
  if (filter !== null) validateFilter(filter, 1_024)
  const event: Event = {
    id: '01938d5e-7c00-7000-8000-000000000001',
    accountId: 1,
    type,
    data: JSON.stringify(data),
    acceptedAt: new Date('2026-11-15T09:30:00Z'),
  }
  const { units, ...result } = matchHook(
    { eventType, filter },
    filterInput(event, builtInCatalog.traitsOf(event.type)),
    maxFilterUnits,
  )
  expect(units).toBeGreaterThanOrEqual(0)
  return result
}

describe('account events', () => {
  const event: Event = {
    id: '01938d5e-7c00-7000-8000-000000000001',
    accountId: 1,
    type: 'webhook.failing',
    data: '{"hook_id":7}',
    acceptedAt: new Date('2026-11-15T09:30:00Z'),
  }
  const input = filterInput(event, builtInCatalog.traitsOf(event.type))
  const matches = (eventType: string, filter: string | null) =>
    matchHook({ eventType, filter }, input, maxFilterUnits).matches

  test.each([
    ['webhook.failing', null, true],
    ['webhook.recovered', null, false],
    ['all', null, false],
    ['all', 'cel:true', false],
    ['all', 'cel:event.type == "webhook.failing"', false],
    ['all', 'cel:event.type in ["dlr", "webhook.failing"]', true],
    ['all', 'cel:event.type in ["dlr", "webhook.failing"] && (data.hook_id == 8)', false],
    ['all', 'cel:event.type in ["dlr", "webhook.recovered"]', false],
    ['all', 'cel:event.type in ["dlr"] && (event.type in ["webhook.failing"])', false],
  ])('a hook of type %s with the filter %s matches: %j', (eventType, filter, expected) => {
    expect(matches(eventType, filter)).toBe(expected)
  })

  test('an outage of 1,000 hooks with long filters is matched in bounded time', () => {
    const clauses = Array.from({ length: 60 }, (_, index) => `data.x${index} == "${'y'.repeat(100)}"`)
    const filter = `cel:event.type in ["dlr", "sms_mo"] && (${clauses.join(' || ')})`
    const startedAt = process.cpuUsage()
    for (let count = 0; count < 1_000_000; count++) matches('all', filter)
    const { user, system } = process.cpuUsage(startedAt)
    // Parsing the filter would take minutes.
    expect((user + system) / 1_000_000).toBeLessThan(10)
  })
})

describe('event types', () => {
  test.each(deliverableTypes)('%s matches only hooks for that type or for all types', (type) => {
    const matching = eventTypes.filter((eventType) => match(eventType, null, {}, type).matches)
    expect(matching).toEqual(['all', type])
  })

  test('a type mismatch is the reported reason, regardless of the filter', () => {
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
  ])('%j matches an event whose system is %j', (filter, system) => {
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
  ])('%j does not match an event whose system is %j', (filter, system) => {
    expect(match('sms_mo', filter, { system })).toEqual({ matches: false, why: 'filter', actual: system })
  })

  test.each([
    ['absent', {}],
    ['null', { system: null }],
    ['true', { system: true }],
    ['a list', { system: ['491701'] }],
    ['an object', { system: { toString: '491701' } }],
    ['in another field', { sender: '491701', agent_id: '491701' }],
  ])('do not match if the inbound number is %s', (_label, data) => {
    expect(match('sms_mo', '491701,null,true', data)).toEqual({ matches: false, why: 'filter', actual: null })
  })

  test('are compared with agent_id of RCS events and with no other field', () => {
    expect(match('rcs', 'agent-1', { agent_id: 'agent-1' }, 'rcs')).toEqual({ matches: true })
    expect(match('all', 'agent-1', { agent_id: 'agent-2', system: 'agent-1' }, 'rcs')).toEqual({
      matches: false,
      why: 'filter',
      actual: 'agent-2',
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
    ['a text', 'cel:data.system', { system: 'true' }, 'a string'],
    ['a number', 'cel:data.count', { count: 1 }, 'a number'],
    ['a whole number', 'cel:true ? int(data.count) : data.count', { count: 1 }, 'a number'],
    ['a list', 'cel:data.list', { list: [true] }, 'a list'],
    ['a map', 'cel:data.map', { map: { true: true } }, 'neither true nor false'],
    ['a time', 'cel:true ? event.accepted_at : data.system', {}, 'a time'],
    ['null', 'cel:data.nothing', { nothing: null }, 'null'],
  ])('with the result %s do not match, and the result type is the reason', (_label, filter, data, actual) => {
    expect(match('all', filter, data)).toEqual({ matches: false, why: 'filter', actual })
  })

  test.each([
    ['a missing field', 'cel:data.missing == 1', {}, /^No such key: data.missing$/],
    ['a value of another type', 'cel:data.text.startsWith("a")', { text: 5 }, /startsWith/],
    ['a division by zero', 'cel:1 / int(data.zero) == 1', { zero: 0 }, /division by zero/i],
    [
      'a property name of Object.prototype',
      'cel:data.constructor == 1',
      {},
      /^No such key: data.constructor$/,
    ],
    ['the prototype', 'cel:data.__proto__ == 1', {}, /^No such key: data.__proto__$/],
  ])('that fail because of %s do not match, and the error is the reason', (_label, filter, data, why) => {
    expect(match('all', filter, data)).toEqual({
      matches: false,
      why: 'filter_error',
      error: expect.stringMatching(why),
    })
  })

  test('give a one-line error', () => {
    const result = match('all', 'cel:data.missing ==\n\n1', {})
    expect('error' in result && result.error.split('\n')).toHaveLength(1)
  })
})

describe('arbitrary event data', () => {
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
    // Events are parsed from text.
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

  test('never makes matching throw, and stays unchanged', () => {
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

  test('phone numbers match in every notation', () => {
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
