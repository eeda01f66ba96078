import { expect, test } from 'vitest'
import { describeWarning } from './webhook-warnings.ts'

test('a warning names the event type or the other webhook', () => {
  expect(
    describeWarning(
      { code: 'filter_never_matches', field: 'event_filter', hook_id: null, webhook: null },
      'dlr',
    ),
  ).toBe('Events of type dlr have no inbound number: this filter never matches.')
  const webhook = { id: 12, name: 'Orders', endpoint: 'example.com', deleted: false }
  expect(describeWarning({ code: 'duplicate', field: 'target_url', hook_id: 12, webhook }, 'dlr')).toMatch(
    /^Orders already sends such events/,
  )
})
