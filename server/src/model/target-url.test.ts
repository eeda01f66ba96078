/** Tests invariants of all URLs. Single URLs are in server/test/support/fixtures. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from './errors.ts'
import { isPublicIp } from './ip.ts'
import { normalizeTargetUrl, type TargetUrlRules } from './target-url.ts'

const rules: TargetUrlRules = {
  maxBytes: 2048,
  allowPrivate: false,
  ownHosts: new Set(['hookline.example.com', '9.9.9.10']),
  ownPorts: new Set([8080, 8081]),
}
const localRules: TargetUrlRules = { ...rules, allowPrivate: true }

const { deny, allow }: { deny: string[]; allow: string[] } = JSON.parse(
  readFileSync(new URL('../../test/support/fixtures/addresses.json', import.meta.url), 'utf8'),
)

/** Returns notations of an IPv4 address that the URL standard parses, and some that it does not. */
function spellings(ip: string): string[] {
  const parts = ip.split('.').map(Number)
  const number = parts.reduce((sum, part) => sum * 256 + part, 0)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  return [
    ip,
    `${ip}.`,
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${b * 65536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${a.toString(16)}.${b}.0${(c * 256 + d).toString(8)}`,
    ip.replaceAll('.', '。'),
    ip.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ip.replaceAll('.', '%2e'),
    `[::ffff:${ip}]`,
    `[::${ip}]`,
    `[64:ff9b::${ip}]`,
    `[2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::1]`,
  ]
}

const byte = fc.integer({ min: 0, max: 255 })
const anyIpv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
const someIpv4 = fc.oneof(anyIpv4, fc.constantFrom(...deny.filter((ip) => isIP(ip) === 4)))
const ipv4Host = someIpv4.chain((ip) => fc.constantFrom(...spellings(ip)))
const group = fc.oneof(
  fc.constantFrom('0', '1', '7f00', 'ffff', '2001', '2002', 'db8', '64', 'ff9b', 'fe80', 'fc00', '2606'),
  fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16)),
)
const ipv6Host = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => `[${groups.join(':')}]`),
  fc
    .tuple(fc.array(group, { maxLength: 4 }), fc.array(group, { maxLength: 3 }))
    .map(([left, right]) => `[${left.join(':')}::${right.join(':')}]`),
  fc.constantFrom(...deny.filter((ip) => isIP(ip) === 6).map((ip) => `[${ip}]`)),
  fc.constant('[fe80::1%25eth0]'),
)
const label = fc.oneof(
  fc.constantFrom(
    'a',
    'www',
    'xn--bcher-kva',
    'bücher',
    'A-b',
    '_dmarc',
    '-a',
    'a-',
    '',
    'x'.repeat(64),
    '1',
    '☃',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
)
const ending = fc.constantFrom(
  'com',
  'COM',
  'localhost',
  'local',
  'Internal',
  'lan',
  'home.arpa',
  'corp',
  'onion',
  'svc',
  'com.',
  '0x7f',
  '127',
)
const nameHost = fc
  .tuple(fc.array(label, { maxLength: 3 }), ending)
  .map(([labels, last]) => [...labels, last].join('.'))
const ownHost = fc.constantFrom(
  'hookline.example.com',
  'HOOKLINE.example.com.',
  '93.184.216.34',
  '0x5db8d822',
)

/** Generates mostly valid input, so that a good part is accepted and single unusual parts are tested. */
function mostly(valid: fc.Arbitrary<string>, odd: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ arbitrary: valid, weight: 3 }, { arbitrary: odd, weight: 1 })
}

const composed = fc
  .tuple(
    mostly(
      fc.constantFrom('http://', 'https://', 'HTTP://'),
      fc.constantFrom('http:/', 'http:', '//', 'ftp://', 'file://', ' http://', 'http:///', 'http:\\\\'),
    ),
    mostly(fc.constant(''), fc.constantFrom('a@', 'a:b@', '@', ':@', '1.1.1.1@', 'a%40b@')),
    fc.oneof(ipv4Host, ipv6Host, nameHost, ownHost),
    mostly(
      fc.constantFrom('', ':', ':80', ':443', ':080', ':3000', ':65535'),
      fc.oneof(
        fc.constantFrom(':0', ':22', ':25', ':1023', ':6379', ':8080', ':65536', ':-1', ':a', ':８０'),
        fc.integer({ min: 0, max: 70_000 }).map((port) => `:${port}`),
      ),
    ),
    mostly(
      fc.constantFrom('', '/', '/a/../b?c=d#e', '?q', '#f', '//127.0.0.1/', '/%zz', '/@127.0.0.1', '/é'),
      fc.oneof(
        fc.constantFrom('\\@127.0.0.1/', '/\t', ' '),
        fc.webPath(),
        fc.string({ unit: 'binary', maxLength: 8 }),
      ),
    ),
  )
  .map((parts) => parts.join(''))

/** Returns the normalized URL, or undefined if it is rejected. Any other error fails the test. */
function accepted(text: string, input = rules): URL | undefined {
  try {
    return new URL(normalizeTargetUrl(text, input))
  } catch (error) {
    if (error instanceof ApiError && error.code === 1020) return undefined
    throw error
  }
}

describe('URLs composed of unusual parts', () => {
  const numRuns = 5_000
  // Most are rejected. The number of accepted ones must be large enough to be meaningful.
  const minAccepted = 100

  test('are safe if accepted', () => {
    let count = 0
    fc.assert(
      fc.property(composed, (text) => {
        const url = accepted(text)
        if (url === undefined) return
        count++
        const host = url.hostname.replaceAll(/^\[|\]$/g, '')
        // Normalizing again changes nothing.
        expect(normalizeTargetUrl(url.href, rules)).toBe(url.href)
        // The URL leads to the host that the standard gives for the original text,
        expect(url.host).toBe(new URL(text).host)
        expect(`${url.username}${url.password}${url.hash}`).toBe('')
        expect(['http:', 'https:']).toContain(url.protocol)
        // to a public address, or to a full name that is not private,
        if (isIP(host) !== 0) expect(isPublicIp(host)).toBe(true)
        else expect(host).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+\.?$/)
        expect(host).not.toMatch(/(^|\.)(localhost|local|internal|lan|home\.arpa|corp|onion)\.?$/)
        // and never to Hookline itself nor to a port of another service.
        expect(host).not.toMatch(/^(hookline\.example\.com\.?|9\.9\.9\.10)$/)
        expect(url.port).not.toMatch(/^(?!80$|443$)(\d{1,3}|10[01]\d|102[0-3]|5432|6379|11211|27017)$/)
      }),
      { numRuns },
    )
    expect(count).toBeGreaterThan(minAccepted)
  })

  test('never lead to a link-local or metadata address in local development', () => {
    let count = 0
    fc.assert(
      fc.property(composed, (text) => {
        const url = accepted(text, localRules)
        if (url === undefined) return
        count++
        const host = url.hostname.replaceAll(/^\[|\]$/g, '')
        expect(normalizeTargetUrl(url.href, localRules)).toBe(url.href)
        // A name can start with digits. It is checked when it is resolved.
        if (isIP(host) === 0) return
        expect(host).not.toMatch(/^(169\.254|0|22[4-9]|2[345]\d)\.|^100\.100\.100\.200$|^168\.63\.129\.16$/)
        expect(host).not.toMatch(/^(fe[89ab]|f[cd]|64:ff9b:|2002:|::ffff:|ff)/)
      }),
      { numRuns },
    )
    expect(count).toBeGreaterThan(minAccepted)
  })
})

test.each(deny.filter((ip) => isIP(ip) === 4))('%s is rejected in every notation', (ip) => {
  const acceptedSpellings = spellings(ip).filter((host) => accepted(`http://${host}/`) !== undefined)
  expect(acceptedSpellings).toEqual([])
})

test.each(allow.filter((ip) => isIP(ip) === 4))('%s is accepted in its plain notation', (ip) => {
  expect(accepted(`http://${ip}/`)?.hostname).toBe(ip)
})

test.each([
  ['HTTPS://Example.COM:443/a/../b?c#d', 'https://example.com/b?c'],
  ['http://example.com', 'http://example.com/'],
  ['http://example.com.:80/', 'http://example.com./'],
  ['https://bücher.example/ü?ü', 'https://xn--bcher-kva.example/%C3%BC?%C3%BC'],
  ['http://0x01.1.0x0101/', 'http://1.1.1.1/'],
  ['https://[2606:4700:4700:0:0::1111]:8443/', 'https://[2606:4700:4700::1111]:8443/'],
])('%s is normalized to %s', (text, expected) => {
  expect(normalizeTargetUrl(text, rules)).toBe(expected)
})

test('any text is either accepted or rejected as a URL', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('h', 't', 'p', ':', '/', '@', '[', ']', '\ud800', '\\', '.', '1', '%'),
    }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  )
  fc.assert(
    fc.property(text, (input) => {
      const url = accepted(input)
      if (url !== undefined) expect(normalizeTargetUrl(url.href, rules)).toBe(url.href)
    }),
    { numRuns: 2_000 },
  )
})

describe('local development', () => {
  test.each([
    ['http://localhost:3000/a', 'http://localhost:3000/a'],
    ['http://127.0.0.1:25/', 'http://127.0.0.1:25/'],
    ['http://[::1]:22/', 'http://[::1]:22/'],
    ['http://10.1.2.3:6379/', 'http://10.1.2.3:6379/'],
    ['http://receiver:9200/', 'http://receiver:9200/'],
  ])('allows %s', (text, expected) => {
    expect(normalizeTargetUrl(text, localRules)).toBe(expected)
  })

  test.each([
    ['a port of Hookline itself', 'http://localhost:8080/'],
    ['a port of Hookline itself in another notation', 'http://0x7f.1:8081/'],
    ['a service port of a public name', 'http://example.com:6379/'],
    ['a service port of a public IPv4 address', 'http://1.1.1.1:25/'],
    ['a service port of a public IPv6 address', 'http://[2606:4700:4700::1111]:25/'],
    ['the metadata service', 'http://169.254.169.254/'],
    ['the metadata service wrapped in IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['loopback wrapped in IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['unique local IPv6', 'http://[fd00:ec2::254]/'],
    ['a private name with a dot', 'http://metadata.google.internal/'],
  ])('rejects %s', (_name, text) => {
    expect(accepted(text, localRules)).toBeUndefined()
  })
})

test('the length limit counts bytes, not characters', () => {
  const start = 'https://example.com/'
  const maxUrl = `${start}${'é'.repeat((2048 - start.length) / 2)}`
  expect(Buffer.byteLength(maxUrl)).toBe(2048)
  expect(accepted(maxUrl)?.hostname).toBe('example.com')
  expect(accepted(`${maxUrl}a`)).toBeUndefined()
})
