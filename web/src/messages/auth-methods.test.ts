import { expect, test } from 'vitest'
import { formatAuthMethod } from './auth-methods.ts'

test('methods have labels, and an unknown method is shown as is', () => {
  expect(formatAuthMethod('header-key')).toBe('X-Api-Key header')
  expect(formatAuthMethod('parameter-key')).toBe('parameter p (deprecated)')
  expect(formatAuthMethod('future')).toBe('future')
})
