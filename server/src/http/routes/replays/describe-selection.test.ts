import { expect, test } from 'vitest'
import { describeSelection, presentSelection } from './describe-selection.ts'

test('a search is described with its numbers and texts masked', () => {
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
  const selection = presentSelection({ kind: 'search', search })
  expect(selection).toEqual({
    kind: 'search',
    search: {
      state: 'failed',
      hook_id: 12,
      status: 500,
      q: '4917••••••21',
      message_id: '7700••••••78',
      number: '4917••••••67',
      foreign_id: 'orde•••••••••••dy',
      to: '2026-11-15T10:31:16.204Z',
    },
  })
  expect(describeSelection(selection)).toBe(
    'All results of a search: failed, webhook 12, status 500, text 4917••••••21, message 7700••••••78, ' +
      'number 4917••••••67, foreign id orde•••••••••••dy, before 2026-11-15 10:31:16 UTC.',
  )
})

test('selected deliveries are counted', () => {
  const one = { event_id: '019a8716-a680-7000-8000-000000000000', hook_id: 3 }
  const other = { ...one, hook_id: 4 }
  const single = presentSelection({ kind: 'deliveries', deliveries: [one] })
  expect(single).toEqual({ kind: 'deliveries', count: 1, hook_id: 3 })
  expect(describeSelection(single)).toBe('One delivery, to webhook 3.')
  const two = presentSelection({ kind: 'deliveries', deliveries: [one, other] })
  expect(two).toEqual({ kind: 'deliveries', count: 2, hook_id: null })
  expect(describeSelection(two)).toBe('2 selected deliveries.')
})
