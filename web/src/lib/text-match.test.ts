import { expect, test } from 'vitest'
import { matches } from './text-match.ts'

test.each([
  ['', true],
  ['order', true],
  ['PROD order', true],
  ['hlk_9f', true],
  ['order test', false],
])('%j matches: %s', (text, expected) => {
  expect(matches(text, 'order-service, production', 'hlk_9f3')).toBe(expected)
})
