/** The shape of keys, which never changes: they live for years in other people's configuration. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToken, makeToken, shownPrefix } from './token.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// Their checksums were computed with Python's zlib.crc32, not with the code under test.
test.each([
  ['hlk', 'hlk_0000000000000000000000000000003Xe7o4'],
  ['hlk', 'hlk_abcdefghijklmnopqrstuvwxyz012310QcJu'],
  ['hlp', 'hlp_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz1xjPZp'],
  ['hlp', 'hlp_0123456789ABCDEFGHIJKLMNOPQRST24KjMR'],
] as const)('a key of kind %s made long ago is still one: %s', (kind, token) => {
  expect(isToken(token, kind)).toBe(true)
  expect(isToken(token, kind === 'hlk' ? 'hlp' : 'hlk')).toBe(false)
})

test.each(['hlk', 'hlp'] as const)('a new key of kind %s has the shape, and no two are the same', (kind) => {
  const tokens = Array.from({ length: 2_000 }, () => makeToken(kind))
  const shape = new RegExp(`^${kind}_[0-9A-Za-z]{36}$`)
  expect(tokens.filter((token) => !shape.test(token))).toEqual([])
  expect(tokens.filter((token) => !isToken(token, kind))).toEqual([])
  expect(new Set(tokens).size).toBe(2_000)
})

test('any single changed character is noticed', () => {
  const token = makeToken('hlk')
  const unnoticed = Array.from({ length: token.length }, (_nothing, at) =>
    Array.from(`${alphabet}-_ é`, (other) => `${token.slice(0, at)}${other}${token.slice(at + 1)}`),
  )
    .flat()
    .filter((changed) => changed !== token && isToken(changed, 'hlk'))
  expect(unnoticed).toEqual([])
})

test('two neighbours that changed places are noticed', () => {
  const token = makeToken('hlk')
  const unnoticed = Array.from(
    { length: token.length - 1 },
    (_nothing, at) => `${token.slice(0, at)}${token[at + 1]}${token[at]}${token.slice(at + 2)}`,
  ).filter((changed) => changed !== token && isToken(changed, 'hlk'))
  expect(unnoticed).toEqual([])
})

test('a key that was cut, lengthened or wrapped is none', () => {
  const token = makeToken('hlk')
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

test('noise is no key', () => {
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

test('what is shown of a key leaves 26 of its random characters secret', () => {
  expect(shownPrefix('hlk_abcdefghijklmnopqrstuvwxyz012310QcJu')).toBe('hlk_abcd')
})

/**
 * Chi-square over the 62 characters, for each of the 30 places and for all together. With 61 degrees of freedom a fair
 * source passes 155 once in a billion; taking a random byte modulo 62 would reach about 100,000 over all places.
 */
test('every character is as likely as any other, in every place', () => {
  const tokens = Array.from({ length: 20_000 }, () => makeToken('hlk').slice(4, 34))
  const places = Array.from({ length: 30 }, (_nothing, at) => tokens.map((token) => token.charAt(at)))
  expect(Math.max(...places.map(chiSquare))).toBeLessThan(155)
  expect(chiSquare(places.flat())).toBeLessThan(155)
})

function chiSquare(characters: readonly string[]): number {
  const counts = new Map(Array.from(alphabet, (character) => [character, 0]))
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = characters.length / 62
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
