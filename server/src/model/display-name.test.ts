/** Tests that names can be seen and cannot pose as others. */
import { describe, expect, test } from 'vitest'
import { displayName, hookDescription, hookName } from './display-name.ts'

describe.each([
  ['displayName', displayName],
  ['hookName', hookName],
])('%s', (_label, pattern) => {
  test.each([
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u{e0041}',
    '\u200f',
    '\u061c',
    '\u200d',
    '\u0301',
    '\u00a0',
  ])('rejects only %j', (character) => {
    expect(pattern.test(character)).toBe(false)
    expect(pattern.test(`${character} ${character}`)).toBe(false)
  })

  test.each(['Pay\u200bPal', 'a\u202eb', 'a\u00adb', 'a\u200fb', 'a\u{e0041}'])('rejects %j', (name) => {
    expect(pattern.test(name)).toBe(false)
  })

  test.each(['a', 'Zoë', '订单', 'می\u200cخواهم', '👨\u200d👩\u200d👧', '❤\ufe0f', 'a\u3164', '·'])(
    'accepts %j',
    (name) => {
      expect(pattern.test(name)).toBe(true)
    },
  )
})

test('a description needs a visible character and can have several lines', () => {
  expect(hookDescription.test('\u200b\n\u3164')).toBe(false)
  expect(hookDescription.test('\u2067\nshop')).toBe(false)
  expect(hookDescription.test('\nshop\u200f')).toBe(true)
})
