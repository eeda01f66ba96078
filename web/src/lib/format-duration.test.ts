import { expect, test } from 'vitest'
import { formatDuration, formatPercent, formatShort } from './format-duration.ts'

test.each([
  [0.4, '< 1 ms'],
  [212.3, '212 ms'],
  [1_400, '1.4 s'],
  [42_000, '42 s'],
  [200_000, '3 min 20 s'],
  [180_000, '3 min'],
  [18_720_000, '5 h 12 min'],
  [183_600_000, '2 d 3 h'],
])('%d ms is shown as %j', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [0, '0%'],
  [0.000_01, '0.1%'],
  [0.5, '50%'],
  [0.987_6, '98.8%'],
  [0.999_99, '99.9%'],
  [1, '100%'],
])('the ratio %d is shown as %j', (ratio, text) => {
  expect(formatPercent(ratio)).toBe(text)
})

test.each([
  [9_999, '9,999'],
  [12_345, '12.3k'],
  [456_789, '457k'],
  [3_000_000, '3M'],
])('the count %d is shortened to %j', (count, text) => {
  expect(formatShort(count)).toBe(text)
})
