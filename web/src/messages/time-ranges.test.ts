import { expect, test } from 'vitest'
import { rangeText } from './time-ranges.ts'

test('only the longest range has daily buckets', () => {
  expect(Object.entries(rangeText).map(([range, { short, step }]) => [range, short, step])).toEqual([
    ['1h', '1h', 'minute'],
    ['24h', '24h', 'hour'],
    ['7d', '7d', 'hour'],
    ['30d', '30d', 'day'],
  ])
})
