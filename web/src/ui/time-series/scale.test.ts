import { expect, test } from 'vitest'
import { axisTicks, labelIndexes } from './scale.ts'

test.each([
  [0, 4, [0, 1, 2, 3, 4]],
  [3, 2, [0, 2, 4]],
  [1_234, 4, [0, 500, 1_000, 1_500]],
  [98_765, 4, [0, 25_000, 50_000, 75_000, 100_000]],
  [1_200_000, 4, [0, 500_000, 1_000_000, 1_500_000]],
  [7, 4, [0, 2, 4, 6, 8]],
  [0.4, 2, [0, 2, 4]],
])('the axis up to %d in about %d parts has round values', (max, parts, ticks) => {
  expect(axisTicks(max, parts)).toEqual(ticks)
})

function rowsOf(count: number, ms: number) {
  const first = new Date(2026, 10, 15, 14, 0).getTime()
  return Array.from({ length: count }, (_, index) => ({ start: new Date(first + index * ms).toISOString() }))
}

test('at most seven buckets have a label, and hours of several days are labeled at midnight', () => {
  expect(labelIndexes(rowsOf(24, 3_600_000), 'hour')).toEqual([0, 4, 8, 12, 16, 20])
  expect(labelIndexes(rowsOf(60, 60_000), 'minute')).toEqual([0, 10, 20, 30, 40, 50])
  expect(labelIndexes(rowsOf(30, 86_400_000), 'day')).toEqual([0, 5, 10, 15, 20, 25])
  expect(labelIndexes(rowsOf(168, 3_600_000), 'hour')).toHaveLength(7)
})
