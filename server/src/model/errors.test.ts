import { expect, test } from 'vitest'
import { catalogue } from './errors.ts'

test('every failure has a code of its own', () => {
  const codes = Object.values(catalogue).map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)])
})
