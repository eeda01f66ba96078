import { expect, test } from 'vitest'
import type { DeliverableType } from '../../model/event.ts'
import { filterInput } from '../../model/event-filter.ts'
import { maxFilterUnits } from '../../model/filter/budget.ts'
import type { EventType } from '../../model/hook.ts'
import { explainMatch } from './explain-match.ts'

const text = 'My code is 482913'

function why(
  eventFilter: string | null,
  data: object = { system: '491700000002', text, status: 'FAILED' },
  {
    type = 'sms_mo',
    wants = 'all',
    isRevealed = false,
  }: { type?: DeliverableType; wants?: EventType; isRevealed?: boolean } = {},
) {
  const event = { id: 'an id', accountId: 1, type, data: JSON.stringify(data), acceptedAt: new Date(0) }
  return explainMatch({ eventType: wants, eventFilter }, filterInput(event), maxFilterUnits, isRevealed).why
}

test('a hook that wants it says so', () => {
  expect(why(null)).toEqual({ kind: 'matched', sentence: 'It wants events of every type.' })
  expect(why('+49 170 0000002', undefined, { wants: 'sms_mo' })).toEqual({
    kind: 'matched',
    sentence: 'It wants events of type sms_mo, and its filter fits.',
  })
})

test('another type is named', () => {
  expect(why(null, undefined, { wants: 'dlr' })).toEqual({
    kind: 'type',
    saw: 'sms_mo',
    sentence: 'It wants events of type dlr, and this one is sms_mo.',
  })
})

test('plain values say what they were compared with, masked unless it is revealed', () => {
  expect(why('4999')).toMatchObject({ kind: 'filter', saw: '4917••••••02' })
  expect(why('4999,4998', undefined, { isRevealed: true })).toEqual({
    kind: 'filter',
    saw: '491700000002',
    sentence: 'system is 491700000002, which is not one of the 2 values of its filter.',
  })
  expect(why('4999', { msg_id: 1 }, { type: 'dlr' })).toEqual({
    kind: 'field_missing',
    sentence: 'Its filter is compared with system, which this event does not have.',
  })
  expect(why('agent', { agent_id: 'other' }, { type: 'rcs' })).toMatchObject({ kind: 'filter', saw: 'other' })
})

test('of a chain the first clause that is false is named, with what it saw', () => {
  expect(why('cel:event.type == "sms_mo" && data.status == "DELIVERED" && data.system == "1"')).toEqual({
    kind: 'clause',
    clause: 'data.status == "DELIVERED"',
    saw: 'data.status is FAILED',
    sentence: 'Its filter needs data.status == "DELIVERED", and data.status is FAILED.',
  })
  expect(why('cel:(data.status == "A" || data.text == "B")')).toMatchObject({
    clause: 'data.status == "A" || data.text == "B"',
    saw: 'data.status is FAILED and data.text is My c•••••••••••13',
  })
  // As the language has it, a clause that is false decides even beside one that fails.
  expect(why('cel:data.nope == 1 && data.status == "A"')).toMatchObject({
    kind: 'clause',
    clause: 'data.status == "A"',
  })
})

test('a field that is not there is named, in brackets and in depth too', () => {
  expect(why('cel:data.status == "FAILED" && data.nope == "1"')).toEqual({
    kind: 'field_missing',
    clause: 'data.nope == "1"',
    sentence: 'Its filter needs data.nope == "1", and this event has no data.nope.',
  })
  expect(why('cel:data["a"].b == "1"', { a: {} })).toMatchObject({
    kind: 'field_missing',
    sentence: 'Its filter needs data["a"].b == "1", and this event has no data.a.b.',
  })
})

test('an expression that fails says where and why', () => {
  expect(why('cel:data.status == "FAILED" && int(data.status) > 3')).toEqual({
    kind: 'filter_error',
    clause: 'int(data.status) > 3',
    sentence:
      'Its filter could not be evaluated at int(data.status) > 3: int() type error: cannot convert to int.',
  })
})

test('no value of the event stands in what is said, unless it is revealed', () => {
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
    expect(JSON.stringify(why(filter, data)), filter).not.toMatch(/482913|1700000002/)
  }
  expect(
    JSON.stringify(why('cel:duration(data.text) > duration("1s")', { text }, { isRevealed: true })),
  ).toMatch(/482913/)
})
