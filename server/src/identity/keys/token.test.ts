/** Tests the format of keys. It never changes, because keys stay in client configuration for years. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToken, createToken, displayPrefix } from './token.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// The checksums were computed with zlib.crc32 of Python, not with the code under test.
test.each([
  ['hlk', 'hlk_0000000000000000000000000000003Xe7o4'],
  ['hlk', 'hlk_abcdefghijklmnopqrstuvwxyz012310QcJu'],
  ['hlp', 'hlp_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz1xjPZp'],
  ['hlp', 'hlp_0123456789ABCDEFGHIJKLMNOPQRST24KjMR'],
] as const)('a key of kind %s created by an earlier version is still valid: %s', (kind, token) => {
  expect(isToken(token, kind)).toBe(true)
  expect(isToken(token, kind === 'hlk' ? 'hlp' : 'hlk')).toBe(false)
})

test.each(['hlk', 'hlp'] as const)('new keys of kind %s have the format and are unique', (kind) => {
  const tokens = Array.from({ length: 2_000 }, () => createToken(kind))
  const format = new RegExp(`^${kind}_[0-9A-Za-z]{36}$`)
  expect(tokens.filter((token) => !format.test(token))).toEqual([])
  expect(tokens.filter((token) => !isToken(token, kind))).toEqual([])
  expect(new Set(tokens).size).toBe(2_000)
})

test('any single changed character is detected', () => {
  const token = createToken('hlk')
  const undetected = Array.from({ length: token.length }, (_, at) =>
    Array.from(`${alphabet}-_ é`, (other) => `${token.slice(0, at)}${other}${token.slice(at + 1)}`),
  )
    .flat()
    .filter((changed) => changed !== token && isToken(changed, 'hlk'))
  expect(undetected).toEqual([])
})

test('two swapped neighbor characters are detected', () => {
  const token = createToken('hlk')
  const undetected = Array.from(
    { length: token.length - 1 },
    (_, at) => `${token.slice(0, at)}${token[at + 1]}${token[at]}${token.slice(at + 2)}`,
  ).filter((changed) => changed !== token && isToken(changed, 'hlk'))
  expect(undetected).toEqual([])
})

test('a key that is cut, extended or padded is invalid', () => {
  const token = createToken('hlk')
  const changed = [
    token.slice(0, -1),
    token.slice(1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toLowerCase(),
    '',
  ]
  expect(changed.filter((text) => isToken(text, 'hlk'))).toEqual([])
})

test('random text is not a key', () => {
  const noise = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc
      .string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 36, maxLength: 36 })
      .map((text) => `hlk_${text}`),
  )
  fc.assert(
    fc.property(noise, (text) => !isToken(text, 'hlk')),
    { numRuns: 1_000 },
  )
})

test('the visible prefix of a key keeps 26 of its random characters secret', () => {
  expect(displayPrefix('hlk_abcdefghijklmnopqrstuvwxyz012310QcJu')).toBe('hlk_abcd')
})

/**
 * Chi-square over the 62 characters, for each of the 30 positions and for all together. With 61 degrees of freedom
 * a fair source exceeds 155 once in a billion runs. A random byte modulo 62 would reach about 100,000 over all positions.
 */
test('all characters are equally likely at every position', () => {
  const tokens = Array.from({ length: 20_000 }, () => createToken('hlk').slice(4, 34))
  const positions = Array.from({ length: 30 }, (_, at) => tokens.map((token) => token.charAt(at)))
  expect(Math.max(...positions.map(chiSquare))).toBeLessThan(155)
  expect(chiSquare(positions.flat())).toBeLessThan(155)
})

function chiSquare(characters: readonly string[]): number {
  const counts = new Map(Array.from(alphabet, (character) => [character, 0]))
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = characters.length / 62
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
