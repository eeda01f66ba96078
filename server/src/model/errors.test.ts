import { expect, test } from 'vitest'
import { errorCatalog } from './errors.ts'

test('every error has a unique code', () => {
  const codes = Object.values(errorCatalog).map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)])
})
