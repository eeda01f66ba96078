import { expect, test } from 'vitest'
import { isEventId } from './event-id.ts'

test.each([
  ['0192f0c1-7a3b-7cde-8f01-23456789abcd', true],
  ['0192F0C1-7A3B-7CDE-8F01-23456789ABCD', true],
  ['0192f0c1-7a3b-7cde-8f01-23456789abc', false],
  [' 0192f0c1-7a3b-7cde-8f01-23456789abcd', false],
  ['0192f0c17a3b7cde8f0123456789abcd', false],
  ['', false],
])('%j is an event ID: %s', (text, expected) => {
  expect(isEventId(text)).toBe(expected)
})
