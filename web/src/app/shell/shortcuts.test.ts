import { expect, test } from 'vitest'
import { pressKey } from './shortcuts.ts'

test('a sequence is two keys within a second and a half', () => {
  expect(pressKey('g', 0)).toBeUndefined()
  expect(pressKey('w', 1_000)).toEqual({ link: { to: '/webhooks' } })
  expect(pressKey('w', 1_100)).toBeUndefined()
  expect(pressKey('g', 2_000)).toBeUndefined()
  expect(pressKey('w', 4_000)).toBeUndefined()
  expect(pressKey('g', 5_000)).toBeUndefined()
  expect(pressKey('x', 5_100)).toBeUndefined()
  expect(pressKey('w', 5_200)).toBeUndefined()
})

test('a single key is a shortcut of its own', () => {
  expect(pressKey('n', 10_000)).toEqual({ link: { to: '/webhooks/new' } })
  expect(pressKey('?', 10_100)).toEqual({ opens: 'shortcuts' })
})
