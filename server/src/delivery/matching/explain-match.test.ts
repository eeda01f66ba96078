import { expect, test } from 'vitest'
import { builtInCatalog } from '../../model/event-type/catalog.ts'
import type { DeliverableType } from '../../model/event.ts'
import { filterInput } from '../../model/filter/event-filter.ts'
import { maxFilterUnits } from '../../model/filter/budget.ts'
import type { EventType } from '../../model/hook.ts'
import { explainMatch } from './explain-match.ts'

const text = 'My code is 482913'

function explain(
  eventFilter: string | null,
  data: object = { system: '491700000002', text, status: 'FAILED' },
  {
    type = 'sms_mo',
    hookType = 'all',
    isRevealed = false,
  }: { type?: DeliverableType; hookType?: EventType; isRevealed?: boolean } = {},
) {
  const event = { id: 'an id', accountId: 1, type, data: JSON.stringify(data), acceptedAt: new Date(0) }
  return explainMatch(
    { eventType: hookType, eventFilter },
    filterInput(event, builtInCatalog.traitsOf(event.type)),
    maxFilterUnits,
    isRevealed,
  ).why
}

test('a matching hook gives the reason for the match', () => {
  expect(explain(null)).toEqual({ kind: 'matched', message: 'The webhook receives all event types.' })
  expect(explain('+49 170 0000002', undefined, { hookType: 'sms_mo' })).toEqual({
    kind: 'matched',
    message: 'The webhook receives events of type sms_mo. The filter matches.',
  })
})

test('a type mismatch names both types', () => {
  expect(explain(null, undefined, { hookType: 'dlr' })).toEqual({
    kind: 'type',
    actual: 'sms_mo',
    message: 'The webhook receives events of type dlr. This event is sms_mo.',
  })
})

test('a list of types is explained as types, not as a filter', () => {
  expect(explain('cel:event.type in ["sms_mo", "dlr"]').message).toBe(
    'The webhook receives events of type sms_mo.',
  )
  expect(explain('cel:event.type in ["rcs", "dlr"] && (data.a == 1)')).toEqual({
    kind: 'type',
    actual: 'sms_mo',
    message: 'The webhook receives events of type rcs, dlr. This event is sms_mo.',
  })
})

test('a plain filter shows the compared value, masked unless revealed', () => {
  expect(explain('4999')).toMatchObject({ kind: 'filter', actual: '4917••••••02' })
  expect(explain('4999,4998', undefined, { isRevealed: true })).toEqual({
    kind: 'filter',
    field: 'system',
    actual: '491700000002',
    message: 'system is 491700000002, which is not one of the 2 values of the filter.',
  })
  expect(explain('4999', { msg_id: 1 }, { type: 'dlr' })).toEqual({
    kind: 'field_missing',
    field: 'system',
    message: 'The filter checks system, which this event does not have.',
  })
  expect(explain('agent', { agent_id: 'other' }, { type: 'rcs' })).toMatchObject({
    kind: 'filter',
    actual: 'other',
  })
})

test('a chain names its first false clause and the actual values', () => {
  expect(explain('cel:event.type == "sms_mo" && data.status == "DELIVERED" && data.system == "1"')).toEqual({
    kind: 'clause',
    clause: 'data.status == "DELIVERED"',
    actual: 'data.status is FAILED',
    message: 'The filter requires data.status == "DELIVERED", but data.status is FAILED.',
  })
  expect(explain('cel:(data.status == "A" || data.text == "B")')).toMatchObject({
    clause: 'data.status == "A" || data.text == "B"',
    actual: 'data.status is FAILED and data.text is My c•••••••••••13',
  })
  // In CEL a false clause decides the result even if another clause fails.
  expect(explain('cel:data.nope == 1 && data.status == "A"')).toMatchObject({
    kind: 'clause',
    clause: 'data.status == "A"',
  })
})

test('a missing field is named, also in brackets and nested objects', () => {
  expect(explain('cel:data.status == "FAILED" && data.nope == "1"')).toEqual({
    kind: 'field_missing',
    field: 'data.nope',
    clause: 'data.nope == "1"',
    message: 'The filter requires data.nope == "1", but this event has no data.nope.',
  })
  expect(explain('cel:data["a"].b == "1"', { a: {} })).toMatchObject({
    kind: 'field_missing',
    message: 'The filter requires data["a"].b == "1", but this event has no data.a.b.',
  })
})

test('a failing expression names the clause and the error', () => {
  expect(explain('cel:data.status == "FAILED" && int(data.status) > 3')).toEqual({
    kind: 'filter_error',
    clause: 'int(data.status) > 3',
    error: 'int() type error: cannot convert to int',
    message:
      'The filter could not be evaluated at int(data.status) > 3: int() type error: cannot convert to int.',
  })
})

test('explanations contain no event values unless revealed', () => {
  for (const filter of [
    '4999',
    'cel:data.text == "x"',
    'cel:data.text.startsWith("x")',
    'cel:duration(data.text) > duration("1s")',
    'cel:data.map[data.text] == 1',
    'cel:data.map[data.text.substring(10, 17)] == 1',
    'cel:event.accepted_at.getHours(data.text) == 1',
    'cel:data.list.exists(one, one == "x")',
    'cel:data.unknown.text == "x"',
  ]) {
    const data = {
      system: '491700000002',
      text,
      map: { a: 1 },
      list: [text],
      unknown: { text, id: '491700000002' },
    }
    expect(JSON.stringify(explain(filter, data)), filter).not.toMatch(/482913|1700000002/)
  }
  expect(
    JSON.stringify(explain('cel:duration(data.text) > duration("1s")', { text }, { isRevealed: true })),
  ).toMatch(/482913/)
})
