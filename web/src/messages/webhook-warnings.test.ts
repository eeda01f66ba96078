import { expect, test } from 'vitest'
import type { Warning } from '../api/types.ts'
import { describeWarning } from './webhook-warnings.ts'

function warning(code: Warning['code'], position: Warning['position'] = null): Warning {
  return { code, field: 'event_filter', hook_id: null, webhook: null, position }
}

test('a warning about a part of the filter quotes it', () => {
  const filter = 'cel:data.foo == 5'
  expect(describeWarning(warning('filter_unknown_field', { index: 4, length: 8 }), 'sms_mo', filter)).toBe(
    'Sample events of this type have no field data.foo.',
  )
  expect(
    describeWarning(warning('filter_type_mismatch', { index: 4, length: 13 }), 'sms_mo', filter),
  ).toMatch(/^“data.foo == 5” compares/)
})

test('a warning names the event type or the other webhook', () => {
  expect(describeWarning(warning('filter_never_matches'), 'dlr', '49')).toBe(
    'Events of type dlr have no inbound number: this filter never matches.',
  )
  const webhook = { id: 12, name: 'Orders', endpoint: 'example.com', deleted: false }
  expect(describeWarning({ ...warning('duplicate'), hook_id: 12, webhook }, 'dlr', null)).toMatch(
    /^Orders already sends such events/,
  )
})
