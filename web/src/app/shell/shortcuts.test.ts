import { expect, test } from 'vitest'
import { pressKey, shortcutsFor } from './shortcuts.ts'

const all = shortcutsFor({ mayOpen: () => true })

test('a sequence is two keys within a second and a half', () => {
  expect(pressKey(all, 'g', 0)).toBeUndefined()
  expect(pressKey(all, 'w', 1_000)).toEqual({ link: { to: '/webhooks' } })
  expect(pressKey(all, 'w', 1_100)).toBeUndefined()
  expect(pressKey(all, 'g', 2_000)).toBeUndefined()
  expect(pressKey(all, 'w', 4_000)).toBeUndefined()
  expect(pressKey(all, 'g', 5_000)).toBeUndefined()
  expect(pressKey(all, 'x', 5_100)).toBeUndefined()
  expect(pressKey(all, 'w', 5_200)).toBeUndefined()
})

test('shortcuts to pages above the role do nothing', () => {
  const some = shortcutsFor({ mayOpen: (path) => path !== '/keys' })
  expect(pressKey(some, 'g', 20_000)).toBeUndefined()
  expect(pressKey(some, 'k', 20_100)).toBeUndefined()
  expect(pressKey(some, '/', 20_200)).toEqual({ opens: 'search' })
})

test('a single key is a shortcut of its own', () => {
  expect(pressKey(all, 'n', 10_000)).toEqual({ link: { to: '/webhooks/new' } })
  expect(pressKey(all, '?', 10_100)).toEqual({ opens: 'shortcuts' })
})
