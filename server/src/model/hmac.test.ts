/** Tests the HMAC against that of `node:crypto`, and against RFC 4231. */
import { createHmac, createSecretKey } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSha256 } from './hmac.ts'

const key = fc.uint8Array({ maxLength: 200 })
/** Any UTF-16 text, including unpaired surrogates. */
const text = fc.string({ unit: fc.nat(0xff_ff).map((code) => String.fromCharCode(code)), maxLength: 300 })
const message = fc.oneof(
  text,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constant(''),
  // Around the length from which another way is used.
  fc
    .tuple(fc.constantFrom('a', 'ü', '例', '😀', '\uD800'), fc.integer({ min: 4_090, max: 8_200 }))
    .map(([character, length]) => character.repeat(length)),
)
const encoding = fc.constantFrom('base64' as const, 'hex' as const)

function expected(bytes: Uint8Array, signed: string, as: 'base64' | 'hex'): string {
  return createHmac('sha256', bytes).update(signed).digest(as)
}

test('equals createHmac for any key, message and encoding', () => {
  fc.assert(
    fc.property(key, message, encoding, (bytes, signed, as) => {
      expect(hmacSha256(createSecretKey(bytes), signed, as)).toBe(expected(bytes, signed, as))
    }),
    { numRuns: 2_000 },
  )
})

test.each([0, 1, 63, 64, 65, 128, 1_000])('equals createHmac for a key of %i bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index * 7)
  for (const signed of ['', 'text', 'Grüße 😀'])
    expect(hmacSha256(createSecretKey(bytes), signed, 'hex')).toBe(expected(bytes, signed, 'hex'))
})

test('messages of several keys do not mix, whatever their order and length', () => {
  const used = [1, 2, 3].map((fill) => Buffer.alloc(fill * 40, fill))
  const keys = used.map((bytes) => createSecretKey(bytes))
  const calls = fc.array(fc.tuple(fc.nat(used.length - 1), message), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(calls, (sequence) => {
      for (const [index, signed] of sequence) {
        const [sameKey, bytes] = [keys[index], used[index]]
        if (sameKey === undefined || bytes === undefined) throw new Error('no such key')
        expect(hmacSha256(sameKey, signed, 'base64')).toBe(expected(bytes, signed, 'base64'))
      }
    }),
  )
})

test('has the value of RFC 4231 for a key longer than a block', () => {
  const long = createSecretKey(Buffer.alloc(131, 0xaa))
  expect(hmacSha256(long, 'Test Using Larger Than Block-Size Key - Hash Key First', 'hex')).toBe(
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  )
})
