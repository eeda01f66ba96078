/** Tests the three formats byte for byte. Receivers parse them, so they must not change. */
import { describe, expect, test } from 'vitest'
import type { Event } from '../../model/event.ts'
import { type FormattedRequest, formatRequest } from './format.ts'

function eventWith(data: string): Event {
  return {
    id: '01938d5e-7c00-7000-8000-000000000001',
    accountId: 1,
    type: 'sms_mo',
    data,
    acceptedAt: new Date('2026-11-15T09:30:00.999Z'),
  }
}

/** Formats a request and throws if the event cannot be formatted. */
function format(...input: Parameters<typeof formatRequest>): FormattedRequest {
  const request = formatRequest(...input)
  if (typeof request === 'string') throw new Error(request)
  return request
}

const metadataJson = '"webhook_event":"sms_mo","webhook_timestamp":"2026-11-15T09:30:00+00:00"'
const metadataFields = 'webhook_event=sms_mo&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00'

test('names and values are encoded like URLSearchParams', () => {
  const characters = Array.from({ length: 0x3_00 }, (_, code) => String.fromCodePoint(code))
  const others = [
    '\uD800',
    '\uDC00x',
    'x\uDBFF',
    '\uFFFD',
    '\uFFFF',
    '例',
    '😀',
    '\u{10FFFF}',
    'a b+c%20%',
    "!'()*~._-",
  ]
  for (const text of [...characters, ...others]) {
    const { body } = format('POST', 'https://example.com/', eventWith(JSON.stringify({ [`k${text}`]: text })))
    const expected = new URLSearchParams([[`data[k${text}]`, text]]).toString()
    expect(body).toBe(`${expected}&${metadataFields}`)
  }
})

/** `data` as accepted, then its fields as a form and as a query. JSON contains `data` unchanged. */
const vectors: Array<[label: string, data: string, form: string, query: string]> = [
  [
    'an inbound SMS',
    '{"id":"77001","sender":"491700000001","system":"491700000002","text":"Hello","time":"1731656400"}',
    'data%5Bid%5D=77001&data%5Bsender%5D=491700000001&data%5Bsystem%5D=491700000002&data%5Btext%5D=Hello&data%5Btime%5D=1731656400',
    'id=77001&sender=491700000001&system=491700000002&text=Hello&time=1731656400',
  ],
  ['nested objects', '{"a":{"b":{"c":"d"}}}', 'data%5Ba%5D%5Bb%5D%5Bc%5D=d', 'a%5Bb%5D%5Bc%5D=d'],
  [
    'lists, including lists of lists and objects',
    '{"l":["x",["y","z"],{"k":"v"}]}',
    'data%5Bl%5D%5B0%5D=x&data%5Bl%5D%5B1%5D%5B0%5D=y&data%5Bl%5D%5B1%5D%5B1%5D=z&data%5Bl%5D%5B2%5D%5Bk%5D=v',
    'l%5B0%5D=x&l%5B1%5D%5B0%5D=y&l%5B1%5D%5B1%5D=z&l%5B2%5D%5Bk%5D=v',
  ],
  ['null', '{"n":null,"l":[null]}', 'data%5Bn%5D=&data%5Bl%5D%5B0%5D=', 'n=&l%5B0%5D='],
  ['booleans', '{"t":true,"f":false}', 'data%5Bt%5D=true&data%5Bf%5D=false', 't=true&f=false'],
  [
    'numbers in their original notation',
    '{"big":12345678901234567890,"money":1.10,"exp":1E+5,"small":5e-324,"huge":1e400,"zero":-0}',
    'data%5Bbig%5D=12345678901234567890&data%5Bmoney%5D=1.10&data%5Bexp%5D=1E%2B5&data%5Bsmall%5D=5e-324&data%5Bhuge%5D=1e400&data%5Bzero%5D=-0',
    'big=12345678901234567890&money=1.10&exp=1E%2B5&small=5e-324&huge=1e400&zero=-0',
  ],
  [
    'non-ASCII letters and emoji',
    '{"text":"Grüße 例 😀"}',
    'data%5Btext%5D=Gr%C3%BC%C3%9Fe+%E4%BE%8B+%F0%9F%98%80',
    'text=Gr%C3%BC%C3%9Fe+%E4%BE%8B+%F0%9F%98%80',
  ],
  [
    'escapes',
    String.raw`{"text":"a\"b\\c\/d\u00e9\n\t\u0000\ud83d\ude00"}`,
    'data%5Btext%5D=a%22b%5Cc%2Fd%C3%A9%0A%09%00%F0%9F%98%80',
    'text=a%22b%5Cc%2Fd%C3%A9%0A%09%00%F0%9F%98%80',
  ],
  [
    'a lone surrogate, which becomes U+FFFD',
    String.raw`{"text":"\ud83d!"}`,
    'data%5Btext%5D=%EF%BF%BD%21',
    'text=%EF%BF%BD%21',
  ],
  [
    'reserved characters of forms',
    '{"t":"a&b=c+d %;#"}',
    'data%5Bt%5D=a%26b%3Dc%2Bd+%25%3B%23',
    't=a%26b%3Dc%2Bd+%25%3B%23',
  ],
  ['an empty string', '{"t":""}', 'data%5Bt%5D=', 't='],
  ['an empty object and an empty list', '{"o":{},"l":[]}', 'data%5Bo%5D=&data%5Bl%5D=', 'o=&l='],
  [
    'names with reserved characters of forms',
    '{"a[b]":"1","c&d=e":"2","":"3","+":"4"}',
    'data%5Ba%5Bb%5D%5D=1&data%5Bc%26d%3De%5D=2&data%5B%5D=3&data%5B%2B%5D=4',
    'a%5Bb%5D=1&c%26d%3De=2&=3&%2B=4',
  ],
  [
    'names with a special meaning in JavaScript',
    '{"__proto__":{"x":"1"},"constructor":"2","toString":null}',
    'data%5B__proto__%5D%5Bx%5D=1&data%5Bconstructor%5D=2&data%5BtoString%5D=',
    '__proto__%5Bx%5D=1&constructor=2&toString=',
  ],
]

describe.each(vectors)('%s', (_label, data, form, query) => {
  const event = eventWith(data)

  test('as JSON', () => {
    expect(format('JSON', 'https://example.com/hook?own=1', event)).toEqual({
      method: 'POST',
      url: 'https://example.com/hook?own=1',
      contentType: 'application/json',
      body: `{"data":${data},${metadataJson}}`,
    })
  })

  test('as POST', () => {
    expect(formatRequest('POST', 'https://example.com/hook?own=1', event)).toEqual({
      method: 'POST',
      url: 'https://example.com/hook?own=1',
      contentType: 'application/x-www-form-urlencoded',
      body: `${form}&${metadataFields}`,
    })
  })

  test('as GET', () => {
    expect(formatRequest('GET', 'https://example.com/hook', event)).toEqual({
      method: 'GET',
      url: `https://example.com/hook?${query}&${metadataFields}`,
      body: '',
    })
  })

  test('as POST, adds only the metadata fields outside data', () => {
    const names = [...new URLSearchParams(format('POST', 'https://example.com/', event).body).keys()]
    expect(names.filter((name) => !name.startsWith('data['))).toEqual(['webhook_event', 'webhook_timestamp'])
  })
})

describe('an event without fields', () => {
  const event = eventWith('{}')

  test('as JSON', () => {
    expect(format('JSON', 'https://example.com/', event).body).toBe(`{"data":{},${metadataJson}}`)
  })

  test('as POST has an empty data field', () => {
    expect(format('POST', 'https://example.com/', event).body).toBe(`data=&${metadataFields}`)
  })

  test('as GET has only the metadata fields', () => {
    expect(format('GET', 'https://example.com/', event).url).toBe(`https://example.com/?${metadataFields}`)
  })
})

test('a GET keeps the query of the endpoint URL unchanged, before the fields', () => {
  const url = format('GET', 'https://example.com/hook?a[]=1&a[]=%20&flag', eventWith('{"id":"1"}')).url
  expect(url).toBe(`https://example.com/hook?a[]=1&a[]=%20&flag&id=1&${metadataFields}`)
})

describe('a GET', () => {
  const start = 'https://example.com/?text='
  const maxLength = 8_192 - `${start}&${metadataFields}`.length

  test('of 8 KiB is sent', () => {
    const url = format('GET', 'https://example.com/', eventWith(`{"text":"${'a'.repeat(maxLength)}"}`)).url
    expect(url).toBe(`${start}${'a'.repeat(maxLength)}&${metadataFields}`)
    expect(url).toHaveLength(8_192)
  })

  test('of 8 KiB plus one byte is not sent', () => {
    const event = eventWith(`{"text":"${'a'.repeat(maxLength + 1)}"}`)
    expect(formatRequest('GET', 'https://example.com/', event)).toBe('address_too_long')
    expect(format('POST', 'https://example.com/', event).body).toHaveLength(
      `data%5Btext%5D=&${metadataFields}`.length + maxLength + 1,
    )
  })
})

test('the timestamp is the acceptance time, rounded down to seconds', () => {
  const event = { ...eventWith('{}'), acceptedAt: new Date('2026-12-31T23:59:59.999Z') }
  expect(format('JSON', 'https://example.com/', event).body).toBe(
    '{"data":{},"webhook_event":"sms_mo","webhook_timestamp":"2026-12-31T23:59:59+00:00"}',
  )
})

describe('a flat form', () => {
  const flat = { formFields: 'flat' } as const

  test.each(vectors)('has the fields of %s at the top level', (_label, data, _form, query) => {
    const { method, url, contentType, body } = format('POST', 'https://example.com/', eventWith(data), flat)
    expect({ method, url, contentType }).toEqual({
      method: 'POST',
      url: 'https://example.com/',
      contentType: 'application/x-www-form-urlencoded',
    })
    expect(body).toBe([query, metadataFields].filter((part) => part !== '').join('&'))
  })

  test.each([
    '{"webhook_event":"dlr","a":1,"webhook_timestamp":"yesterday"}',
    '{"webhook_event":{"x":1},"a":1,"webhook_timestamp":["x"]}',
    '{"a":1,"webhook_event":null}',
  ])('of %s has the standard fields once, with their own values', (data) => {
    const { body } = format('POST', 'https://example.com/', eventWith(data), flat)
    expect(body).toBe(`a=1&${metadataFields}`)
  })

  test('keeps fields whose names only resemble the standard fields', () => {
    const data = '{"Webhook_Event":1,"webhook_event ":2,"data":{"webhook_event":3}}'
    const { body } = format('POST', 'https://example.com/', eventWith(data), flat)
    expect(body).toBe(`Webhook_Event=1&webhook_event+=2&data%5Bwebhook_event%5D=3&${metadataFields}`)
  })

  test('over 1 MiB is not sent', () => {
    const longest = 1_048_576 - `t=&${metadataFields}`.length
    const fitting = eventWith(`{"t":"${'a'.repeat(longest)}"}`)
    const tooLong = eventWith(`{"t":"${'a'.repeat(longest + 1)}"}`)
    expect(format('POST', 'https://example.com/', fitting, flat).body).toHaveLength(1_048_576)
    expect(formatRequest('POST', 'https://example.com/', tooLong, flat)).toBe('body_too_large')
  })

  test.each(['GET', 'JSON'] as const)('is not a matter of %s', (method) => {
    const event = eventWith('{"webhook_event":"dlr","a":1}')
    const url = 'https://example.com/'
    expect(format(method, url, event, flat)).toEqual(format(method, url, event))
  })
})

describe('an event whose long paths repeat for every value', () => {
  /** 250 KB as JSON, 5 GB if flattened. */
  const wide = eventWith(`{"${'k'.repeat(100_000)}":[${'0,'.repeat(50_000)}0]}`)
  const deep = eventWith(
    `{"a":${`{"${'k'.repeat(3_000)}":`.repeat(60)}[${'0,'.repeat(30_000)}0]${'}'.repeat(61)}`,
  )

  test.each([
    ['POST', 'body_too_large'],
    ['GET', 'address_too_long'],
  ] as const)(
    'as %s is rejected while the request is built, with little memory and CPU time',
    (method, reason) => {
      const before = { heap: process.memoryUsage().heapUsed, cpu: process.cpuUsage() }
      expect(formatRequest(method, 'https://example.com/', wide)).toBe(reason)
      expect(formatRequest(method, 'https://example.com/', deep)).toBe(reason)
      expect(process.memoryUsage().heapUsed - before.heap).toBeLessThan(100_000_000)
      const { user, system } = process.cpuUsage(before.cpu)
      expect(user + system).toBeLessThan(2_000_000)
    },
  )

  test('as JSON has the size of the event', () => {
    expect(format('JSON', 'https://example.com/', wide).body).toBe(`{"data":${wide.data},${metadataJson}}`)
  })
})

describe('a form', () => {
  const start = 'data%5Bt%5D='
  const maxLength = 1_048_576 - `${start}&${metadataFields}`.length

  test('of 1 MiB is sent', () => {
    const { body } = format('POST', 'https://example.com/', eventWith(`{"t":"${'a'.repeat(maxLength)}"}`))
    expect(body).toHaveLength(1_048_576)
  })

  test('of 1 MiB plus one byte is not sent', () => {
    const event = eventWith(`{"t":"${'a'.repeat(maxLength + 1)}"}`)
    expect(formatRequest('POST', 'https://example.com/', event)).toBe('body_too_large')
  })

  test('of the largest event with flat text is sent, even if every character is escaped', () => {
    const event = eventWith(`{"t":"${'%'.repeat(262_000)}"}`)
    expect(format('POST', 'https://example.com/', event).body).toContain('%25%25')
  })
})
