import { expect, test } from 'vitest'
import {
  formatClock,
  formatDay,
  formatMinute,
  formatMinuteRange,
  formatSecond,
  formatSince,
  formatSpan,
  formatTick,
} from './format-clock.ts'

const at = new Date(2026, 10, 15, 9, 4, 5, 67)
const sameDay = new Date(2026, 10, 15, 23, 0)
const nextDay = new Date(2026, 10, 16, 0, 30)

test('times have milliseconds, and dates have no leading zero', () => {
  expect(formatClock(at)).toBe('09:04:05.067')
  expect(formatDay(new Date(2026, 10, 5))).toBe('5 Nov')
  expect(formatMinute(at)).toBe('15 Nov 2026, 09:04')
})

test('a time on another day includes the day', () => {
  expect(formatSince(at, sameDay)).toBe('09:04')
  expect(formatSince(at, nextDay)).toBe('15 Nov, 09:04')
  expect(formatSecond(at, sameDay)).toBe('09:04:05')
  expect(formatSecond(at, nextDay)).toBe('15 Nov, 09:04:05')
})

test('hourly labels are local, and midnight shows the day', () => {
  const hour = new Date(2026, 10, 15, 14, 0).toISOString()
  const midnight = new Date(2026, 10, 15, 0, 0).toISOString()
  expect(formatTick(hour, 'hour')).toBe('14:00')
  expect(formatTick(midnight, 'hour')).toBe('15 Nov')
  expect(formatSpan(hour, 'hour')).toMatch(/^Sun,? 15 Nov, 14:00 to 15:00$/)
})

test('daily labels are UTC days', () => {
  expect(formatTick('2026-11-15T00:00:00.000Z', 'day')).toBe('15 Nov')
  expect(formatSpan('2026-11-15T00:00:00.000Z', 'day')).toMatch(/^Sun,? 15 Nov$/)
})

test.each([
  ['2026-11-15T12:01:10', '2026-11-15T12:40:00', '12:01 – 12:40'],
  ['2026-11-15T12:01:10', '2026-11-15T12:01:50', '12:01'],
  ['2026-11-14T12:01:10', '2026-11-14T12:40:00', '14 Nov, 12:01 – 12:40'],
  ['2026-11-14T12:01:10', '2026-11-15T12:01:00', '14 Nov, 12:01 – 12:01'],
])('the range from %s to %s is %j', (from, to, text) => {
  expect(formatMinuteRange(new Date(from), new Date(to), new Date('2026-11-15T18:00:00'))).toBe(text)
})
