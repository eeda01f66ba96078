import { expect, test } from 'vitest'
import { omit } from './omit.ts'

test('the copy lacks the field, and the original is unchanged', () => {
  const search = { q: 'sms', show: 'all' }
  expect(omit(search, 'show')).toEqual({ q: 'sms' })
  expect(search).toEqual({ q: 'sms', show: 'all' })
})
