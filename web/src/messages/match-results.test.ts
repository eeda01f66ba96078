import { expect, test } from 'vitest'
import type { EventHook } from '../api/types.ts'
import { describeMatch } from './match-results.ts'

const event = { type: 'sms_mo', is_test: false }

function hook(why: EventHook['why'], values: Partial<EventHook> = {}): EventHook {
  return {
    hook_id: 3,
    webhook: null,
    target_url: 'https://example.com',
    event_type: 'sms_mo',
    event_filter: null,
    chosen: null,
    request_method: 'JSON',
    verdict: 'not_matched',
    why,
    later_changes: [],
    deliveries: [],
    ...values,
  }
}

test.each<[EventHook['why'], Partial<EventHook>, string]>([
  [{ kind: 'matched' }, {}, 'The webhook receives events of type sms_mo.'],
  [
    { kind: 'matched' },
    { event_type: 'all', event_filter: '4917' },
    'The webhook receives all event types. The filter matches.',
  ],
  [
    { kind: 'matched' },
    {
      event_type: 'all',
      event_filter: 'cel:…',
      chosen: { event_types: ['sms_mo', 'dlr'], event_filter: null },
    },
    'The webhook receives events of type sms_mo.',
  ],
  [
    { kind: 'type', actual: 'sms_mo' },
    { event_type: 'all', event_filter: 'cel:…', chosen: { event_types: ['rcs', 'dlr'], event_filter: null } },
    'The webhook receives events of type rcs, dlr. This event is sms_mo.',
  ],
  [
    { kind: 'type', actual: 'sms_mo' },
    { event_type: 'dlr' },
    'The webhook receives events of type dlr. This event is sms_mo.',
  ],
  [
    { kind: 'filter', field: 'system', actual: '4917••02' },
    { event_filter: '1,2' },
    'system is 4917••02, which is not one of the 2 values of the filter.',
  ],
  [
    { kind: 'field_missing', field: 'system' },
    { event_filter: '1' },
    'The filter checks system, which this event does not have.',
  ],
  [
    { kind: 'field_missing', field: 'data.a', clause: 'data.a == 1' },
    {},
    'The filter requires data.a == 1, but this event has no data.a.',
  ],
  [
    { kind: 'clause', clause: 'data.a == 1', actual: 'data.a is 2' },
    {},
    'The filter requires data.a == 1, but data.a is 2.',
  ],
  [
    { kind: 'filter_error', clause: 'data.a > 1', error: 'no such overload' },
    {},
    'The filter could not be evaluated at data.a > 1: no such overload.',
  ],
  [
    { kind: 'disabled' },
    { verdict: 'held' },
    'The webhook receives events of type sms_mo. The webhook was disabled, so the event was put on hold.',
  ],
])('%j with %j reads %j', (why, values, text) => {
  expect(describeMatch(hook(why, values), event)).toBe(text)
})

test('later changes are mentioned', () => {
  const at = '2026-11-15T12:00:00.000Z'
  const changed = hook({ kind: 'matched' }, { later_changes: [{ change: 'changed', at }] })
  expect(describeMatch(changed, event)).toMatch(
    /The webhook has changed since\. Its settings at that time are shown\.$/,
  )
  const deleted = hook({ kind: 'matched' }, { later_changes: [{ change: 'deleted', at }] })
  expect(describeMatch(deleted, event)).toMatch(/The webhook has been deleted since\.$/)
})

test('a test event names the webhook that is tested', () => {
  const testEvent = { type: 'sms_mo', is_test: true }
  expect(describeMatch(hook({ kind: 'matched' }), testEvent)).toBe('This event is a test of this webhook.')
  expect(describeMatch(hook({ kind: 'test' }), testEvent)).toBe('This event is a test of another webhook.')
})
