import { expect, test } from 'vitest'
import { formatNumber, plural } from './format-number.ts'

test('thousands are separated by commas', () => {
  expect(formatNumber(999)).toBe('999')
  expect(formatNumber(1_234_567)).toBe('1,234,567')
})

test('a count of 1 uses the singular', () => {
  expect(plural(0, 'session')).toBe('0 sessions')
  expect(plural(1, 'session')).toBe('1 session')
  expect(plural(1_200, 'delivery', 'deliveries')).toBe('1,200 deliveries')
})
