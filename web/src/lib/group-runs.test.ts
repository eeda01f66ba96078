import { expect, test } from 'vitest'
import { groupRuns } from './group-runs.ts'

test('neighbors with the same key are one group, and the order stays', () => {
  expect(groupRuns([1, 1, 2, 1], String)).toEqual([[1, 1], [2], [1]])
  expect(groupRuns([], String)).toEqual([])
})
