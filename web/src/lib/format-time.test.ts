import { expect, test } from 'vitest'
import { formatDate, formatExact, formatRelative } from './format-time.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

test.each([
  [-10 * seconds, 'just now'],
  [20 * seconds, 'just now'],
  [45 * seconds, 'in a moment'],
  [-119 * seconds, '1 minute ago'],
  [-5 * hours, '5 hours ago'],
  [-25 * hours, 'yesterday'],
  [5 * days - 2 * seconds, 'in 5 days'],
])('an offset of %d ms is shown as %j', (offset, text) => {
  expect(formatRelative(new Date(now + offset), now)).toBe(text)
})

test('a time beyond one month is shown as a date', () => {
  const at = new Date(now - 40 * days)
  expect(formatRelative(at, now)).toBe(formatDate(at))
})

test('an exact time has seconds in UTC', () => {
  expect(formatExact(new Date(now)).utc).toBe('2026-11-15 12:00:00 UTC')
})
