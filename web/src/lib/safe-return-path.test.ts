import { expect, test, vi } from 'vitest'
import { safeReturnPath } from './safe-return-path.ts'

vi.stubGlobal('location', { origin: 'https://hookline.example' })

test.each(['/', '/keys?show=all', '/events/1?q=a%20b#top'])('%j is allowed', (path) => {
  expect(safeReturnPath(path)).toBe(path)
})

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  'javascript:alert(1)',
  'keys',
  '',
  undefined,
  7,
])('%j leads to the overview', (requested) => {
  expect(safeReturnPath(requested)).toBe('/')
})
