import { expect, test } from 'vitest'
import { noBreak } from './no-break.ts'

test('a number stays with its time unit', () => {
  expect(noBreak('Responded 500 in 212 ms, timeout 15 s.')).toBe(
    'Responded 500 in 212\u00a0ms, timeout 15\u00a0s.',
  )
  expect(noBreak('3 seconds, 5 msgs')).toBe('3 seconds, 5 msgs')
})
