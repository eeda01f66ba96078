/** Tests invariants of all accepted headers. Single cases are in server/test/support/fixtures. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalHeaders, validateHeaders } from './custom-headers.ts'
import { ApiError } from './errors.ts'

const rules = { maxCount: 32, maxNameBytes: 256, maxValueBytes: 4096, maxTotalBytes: 8192 }

/** Copied from the design instead of imported from the code, in the spellings that receivers normalize. */
const reserved =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-type|content-encoding|host|expect|forwarded|via|user-agent|x-signature|x-timestamp|x-nonce|metadata|x-real-ip|(proxy|webhook|x-hookline|metadata|x-forwarded|x-aws|x-amz|x-google|x-goog|x-envoy|sec)-.*)$/

const plainName = fc.constantFrom('X-A', 'x-a', 'X-B', 'X_B', 'Authorization', '!#$%&', 'constructor', '1')
const oddName = fc.constantFrom(
  'Host',
  'CONTENT-LENGTH',
  'content_length',
  'Transfer-Encoding',
  'Proxy-Authorization',
  'X-Forwarded-For',
  'x_forwarded_for',
  'Webhook-Id',
  'X-Hookline-Hook',
  'X-aws-ec2-metadata-token',
  'Metadata-Flavor',
  'Connection ',
  ' Host',
  '',
  '__proto__',
)
const plainValue = fc.constantFrom('1', '', ' 1 ', 'a\tb', 'a:b', '"', '\\', 'Bearer abc', '~')
const oddValue = fc.constantFrom(
  '\r',
  'a\rHost: b',
  'a\\nHost: b',
  'ü',
  '\0',
  '\x7f',
  '\v',
  '\u2028',
  '\ud800',
)
const anyAscii = fc.string({ unit: 'grapheme-ascii', maxLength: 8 })

/** Generates mostly valid input, so that a good part is accepted and single unusual parts are tested. */
function mostly<T>(valid: fc.Arbitrary<T>, ...odd: Array<fc.Arbitrary<T>>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: valid, weight: 12 }, ...odd.map((arbitrary) => ({ arbitrary, weight: 1 })))
}

const line = fc
  .tuple(
    mostly(plainName, oddName, anyAscii),
    mostly(fc.constantFrom(':', ': ', ':\t'), fc.constantFrom(' : ', '', '\n:', '：')),
    mostly(plainValue, oddValue, anyAscii, fc.string({ unit: 'binary', maxLength: 8 })),
  )
  .map((parts) => parts.join(''))
const lineBreak = mostly(
  fc.constantFrom('\n', '\r\n'),
  fc.constantFrom('\r', '\n ', '\n\t', '\n\n', '\\n', '\u0085', '\u2028'),
)
const text = fc
  .array(fc.tuple(line, lineBreak), { minLength: 1, maxLength: 4 })
  .chain((lines) => fc.constantFrom(lines.flat().join(''), lines.flat().slice(0, -1).join('')))

/** Returns the stored text, or undefined if the input is rejected. Any other error fails the test. */
function accepted(input: string): string | undefined {
  const canonical = canonicalHeaders(input)
  try {
    validateHeaders(canonical, rules)
    return canonical
  } catch (error) {
    if (error instanceof ApiError && error.code === 1021) return undefined
    throw error
  }
}

test('accepted headers are lines of "token: visible ASCII" that HTTP can carry, without reserved names', () => {
  let count = 0
  fc.assert(
    fc.property(text, (input) => {
      const stored = accepted(input)
      if (stored === undefined || stored === '') return
      count++
      const names = stored.split('\n').map((headerLine) => {
        expect(headerLine).toMatch(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e]*$/)
        const colon = headerLine.indexOf(':')
        const header = headerLine.slice(0, colon)
        validateHeaderName(header)
        validateHeaderValue(header, headerLine.slice(colon + 1).trim())
        return header.toLowerCase()
      })
      expect(names.filter((name) => reserved.test(name.replaceAll('_', '-')))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
      // Storing the stored text again does not change it.
      expect(accepted(stored)).toBe(stored)
    }),
    { numRuns: 5_000 },
  )
  expect(count).toBeGreaterThan(200)
})

test('CRLF and a trailing line break change nothing', () => {
  const plain = fc.constantFrom('X-A: 1', 'X-B:2', 'X-C: a b', 'X-D:')
  fc.assert(
    fc.property(fc.uniqueArray(plain, { minLength: 1 }), fc.constantFrom('', '\n', '\r\n'), (lines, end) => {
      expect(accepted(`${lines.join('\n')}${end}`)).toBe(lines.join('\n'))
      expect(accepted(`${lines.join('\r\n')}${end}`)).toBe(lines.join('\n'))
    }),
  )
})

describe('limits', () => {
  const headers = Array.from({ length: 33 }, (_, at) => `X-${at}: 1`)
  const almost8192 = `X-A:${'a'.repeat(4_090)}\nX-B:${'b'.repeat(4_089)}\n`

  test.each([
    ['32 headers', headers.slice(0, 32).join('\n')],
    ['a name of 256 bytes', `${'a'.repeat(256)}: 1`],
    ['a value of 4,096 bytes', `X-A: ${'a'.repeat(4_096)}`],
    ['a value of 4,096 bytes between spaces', `X-A:   ${'a'.repeat(4_096)}   `],
    ['8,192 bytes in total', `${almost8192}C:1`],
  ])('%s are accepted', (_name, input) => {
    expect(accepted(input)).toBe(input)
  })

  test.each([
    ['33 headers', headers.join('\n')],
    ['a name of 257 bytes', `${'a'.repeat(257)}: 1`],
    ['a value of 4,097 bytes', `X-A: ${'a'.repeat(4_097)}`],
    ['8,193 bytes in total', `${almost8192}C:12`],
  ])('%s are rejected', (_name, input) => {
    expect(accepted(input)).toBeUndefined()
  })
})
