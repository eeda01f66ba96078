import { expect, test } from 'vitest'
import { selectedWords } from './selected.ts'

test('a search is told without the numbers and texts that it looks for', () => {
  const search = {
    number: '491701234567',
    text: '491707654321',
    foreignId: 'order-of-somebody',
    messageId: '770012345678',
    state: 'failed',
    hookId: 12,
    status: 500,
    to: '2026-11-15T10:31:16.204Z',
  }
  const words = selectedWords({ kind: 'search', search })
  expect(words).toBe(
    'All deliveries of a search: failed, webhook 12, answered 500, found by 4917••••••21, message 7700••••••78, ' +
      'number 4917••••••67, foreign id orde•••••••••••dy, before 2026-11-15 10:31:16 UTC.',
  )
})

test('deliveries that were selected are counted', () => {
  const one = { event_id: '019a8716-a680-7000-8000-000000000000', hook_id: 3 }
  expect(selectedWords({ kind: 'deliveries', deliveries: [one] })).toBe('One delivery, to webhook 3.')
  expect(selectedWords({ kind: 'deliveries', deliveries: [one, one] })).toBe(
    '2 deliveries that were selected.',
  )
})
