/**
 * Test vectors for receiver libraries: requests made by the code of the worker, and the result that a receiver must get.
 * Deterministic, so that the generated file can be compared.
 */
import { createSecretKey } from 'node:crypto'
import { formatRequest } from '../server/src/delivery/request/format.ts'
import { signatureHeaders } from '../server/src/delivery/request/sign.ts'
import type { RequestMethod } from '../server/src/model/hook.ts'
import { samples } from '../server/src/model/sample-events.ts'

export interface Vector {
  name: string
  secrets: string[]
  signing_key: string
  /** The URL that the webhook is registered with. */
  url: string
  /** Unix seconds of the receiver's clock. */
  now: number
  request: {
    method: 'GET' | 'POST'
    url: string
    headers: Array<[name: string, value: string]>
    body: string
  }
  expected:
    | { is_valid: true; event: { id: string; webhook_event: string; data: unknown } }
    /** `is_signed`: `webhook-signature` is valid, but the request is rejected. */
    | { is_valid: false; code: string; is_signed?: true }
}

const secret = Buffer.alloc(32, 'a secret of the webhook')
const otherSecret = Buffer.alloc(32, 'a secret of another one')
const signingKey = '5f1c'.repeat(16)
const url = 'https://shop.example/webhooks?shop=1'
const eventId = '019a8716-a680-7000-8000-000000000001'
/** Unix seconds of the signatures in the file. */
const fixedTime = Date.UTC(2026, 10, 15, 9, 30) / 1_000
const [sample] = samples.sms_mo
const nonce = '0123456789abcdef0123456789abcdef'

function textOf(key: Buffer): string {
  return `whsec_${key.toString('base64')}`
}

interface Signed {
  type?: string
  data: Record<string, unknown>
  method?: RequestMethod
  flat?: boolean
  secrets?: readonly Buffer[]
  hookUrl?: string
}

/** Builds a request as the worker does at that time. */
function signedAt(
  at: number,
  { type = 'sms_mo', data, method = 'JSON', flat = false, secrets = [secret], hookUrl = url }: Signed,
): Vector['request'] {
  const event = {
    id: eventId,
    accountId: 1,
    type,
    data: JSON.stringify(data),
    acceptedAt: new Date(at * 1_000),
  }
  const formatted = formatRequest(method, hookUrl, event, { formFields: flat ? 'flat' : 'nested' })
  if (typeof formatted === 'string') throw new Error(formatted)
  const headers = signatureHeaders(
    {
      hookSecrets: secrets.map((key) => createSecretKey(key)),
      signingKeys: [createSecretKey(signingKey, 'utf8')],
    },
    {
      eventId,
      method: formatted.method,
      signedUrl: hookUrl,
      content: formatted.method === 'GET' ? new URL(formatted.url).search.slice(1) : formatted.body,
      body: formatted.body,
      atSeconds: at,
      nonce,
    },
  )
  return {
    method: formatted.method,
    url: formatted.url,
    headers: [
      ...(formatted.contentType === undefined
        ? []
        : [['content-type', formatted.contentType] as [string, string]]),
      ...Object.entries(headers),
      ['x-hookline-hook', '12'],
      ['x-hookline-attempt', '1'],
    ],
    body: formatted.body,
  }
}

type Builder = ReturnType<typeof createBuilder>

function createBuilder(at: number) {
  return {
    at,
    signed: (parts: Signed) => signedAt(at, parts),
    vector: vectorAt.bind(undefined, at),
  }
}

function vectorAt(
  at: number,
  name: string,
  request: Vector['request'],
  expected: Vector['expected'],
  others: Partial<Vector> = {},
): Vector {
  return {
    name,
    secrets: [textOf(secret)],
    signing_key: signingKey,
    url,
    now: at + 3,
    request,
    expected,
    ...others,
  }
}

/** The parts of events that libraries have read wrongly. */
const contents: Readonly<Record<string, Record<string, unknown>>> = {
  sample: sample,
  unicode: { ...sample, text: 'Grüße 👋🏽 “€” \u{1d11e} ﷽' },
  'escapes and separators': { ...sample, text: 'a"b\\c/d\ne\tf\u2028g<h>&i' },
  'plus signs, percent signs and spaces': { ...sample, text: '1 + 1 = 100% of 2&3=x;y #z?' },
  'empty texts and nulls': { ...sample, text: '', extra: null },
  'brackets in names': { ...sample, 'a[b]': 'c', 'x[]': 'y' },
  'nested values': {
    ...sample,
    list: ['a', 'b', ['c']],
    object: { one: { two: 'three' } },
    empty: [],
  },
  'leading and trailing spaces': { ...sample, text: '  x  ' },
  // A form with nested fields has a field of this name too.
  'a text named data': { ...sample, data: 'inner' },
  'an object named data': { ...sample, data: { text: 'inner' } },
}

const formats = [
  { name: 'JSON', method: 'JSON' },
  { name: 'form', method: 'POST' },
  { name: 'flat form', method: 'POST', flat: true },
  { name: 'query', method: 'GET' },
] as const

/** In a form and a query all values are text, and null and empty containers are empty. */
function asText(value: unknown): unknown {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return `${value as string | number | boolean}`
  const entries = Object.entries(value)
  if (entries.length === 0) return ''
  return Array.isArray(value)
    ? value.map(asText)
    : Object.fromEntries(entries.map(([name, inner]) => [name, asText(inner)]))
}

function validVectors({ signed, vector }: Builder): Vector[] {
  return Object.entries(contents).flatMap(([content, data]) =>
    formats
      // Names with brackets cannot be told from nested values in a form with flat fields or a query.
      .filter(({ method }) => method === 'JSON' || content !== 'brackets in names')
      .map(({ name, ...format }) => {
        const expected = {
          id: eventId,
          webhook_event: 'sms_mo',
          data: format.method === 'JSON' ? data : asText(data),
        }
        return vector(`${name}: ${content}`, signed({ data, ...format }), { is_valid: true, event: expected })
      }),
  )
}

function invalid(code: string): Vector['expected'] {
  return { is_valid: false, code }
}

function capitalized(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** The text of an SMS that was cut in the middle of an emoji. */
function halfCharacter({ signed, vector }: Builder): Vector {
  const data = { ...sample, text: 'a\ud83d', emoji: '\u{1f44b}', backslash: '\\ud83d' }
  const expected = { ...data, text: 'a\ufffd' }
  return vector('JSON: half of a character', signed({ data }), {
    is_valid: true,
    event: { id: eventId, webhook_event: 'sms_mo', data: expected },
  })
}

function trapVectors({ at, signed, vector }: Builder): Vector[] {
  const data = sample
  const request = signed({ data })
  const query = signed({ data, method: 'GET' })
  const event = { id: eventId, webhook_event: 'sms_mo', data }
  const valid = { is_valid: true as const, event }
  const withHeaders = (change: (header: [string, string]) => Array<[string, string]>) => ({
    ...request,
    headers: request.headers.flatMap(change),
  })
  const withoutStandard = withHeaders((header) =>
    /^webhook-(timestamp|signature)$/.test(header[0]) ? [] : [header],
  )
  const custom = { type: 'order.paid', data: { id: '1', total: 12.5, is_paid: true } }
  return [
    vector(
      'header names as Apache and FPM print them',
      withHeaders(([name, value]) => [[capitalized(name), value]]),
      valid,
    ),
    vector(
      'header names in upper case',
      withHeaders(([name, value]) => [[name.toUpperCase(), value]]),
      valid,
    ),
    vector(
      'header names with underscores, as WordPress has them',
      withHeaders(([name, value]) => [[name.replaceAll('-', '_'), value]]),
      valid,
    ),
    vector(
      'two signatures during a rotation, receiver has the previous secret',
      signed({ data, secrets: [otherSecret, secret] }),
      valid,
    ),
    vector('receiver has several secrets', request, valid, {
      secrets: [textOf(otherSecret), textOf(secret)],
    }),
    vector('secret without its prefix', request, valid, { secrets: [secret.toString('base64')] }),
    vector(
      'a signature of an unknown version beside',
      withHeaders(([name, value]) => [[name, name === 'webhook-signature' ? `v1a,AAAA ${value}` : value]]),
      valid,
    ),
    vector('only the account signature', withoutStandard, valid, { secrets: [] }),
    vector('a type that the library does not know', signed(custom), {
      is_valid: true,
      event: { id: eventId, webhook_event: custom.type, data: custom.data },
    }),
    vector('five minutes old', request, valid, { now: at + 300 }),
    vector('older than five minutes', request, invalid('clock_off'), { now: at + 301 }),
    vector('from the future', request, invalid('clock_off'), { now: at - 301 }),
    vector('wrong secret', request, invalid('wrong_secret'), {
      secrets: [textOf(otherSecret)],
      signing_key: '00'.repeat(32),
    }),
    vector(
      'tampered data',
      { ...request, body: request.body.replace('SMS', 'SNS') },
      invalid('wrong_secret'),
    ),
    // The account signature covers the registered URL, without the query of the event.
    vector(
      'a query with only the account signature',
      { ...query, headers: query.headers.filter(([name]) => !/^webhook-(timestamp|signature)$/.test(name)) },
      invalid('header_missing'),
      { secrets: [] },
    ),
    vector(
      'tampered query',
      { ...signed({ data, method: 'GET' }), url: signed({ data, method: 'GET' }).url.replace('SMS', 'SNS') },
      invalid('wrong_secret'),
    ),
    vector('line feed added', { ...request, body: `${request.body}\n` }, invalid('body_changed')),
    vector('empty body', { ...request, body: '' }, invalid('body_changed')),
    vector('empty query', { ...query, url: 'https://shop.example/webhooks' }, invalid('body_changed')),
    vector(
      'parsed and serialized again',
      { ...request, body: JSON.stringify(JSON.parse(request.body), null, 2) },
      invalid('body_changed'),
    ),
    vector(
      'no signature headers',
      withHeaders(([name, value]) =>
        /^(webhook-|x-(signature|timestamp|nonce))/.test(name) ? [] : [[name, value]],
      ),
      invalid('header_missing'),
    ),
    vector(
      'no timestamp',
      withHeaders(([name, value]) => (name.endsWith('timestamp') ? [] : [[name, value]])),
      invalid('header_missing'),
    ),
    vector(
      'timestamp is no number',
      withHeaders(([name, value]) => [[name, name.endsWith('timestamp') ? '1e9' : value]]),
      invalid('header_invalid'),
    ),
    vector(
      'only a signature of an unknown version',
      withHeaders(([name, value]) =>
        name.startsWith('x-signature') ? [] : [[name, name === 'webhook-signature' ? 'v2,AAAA' : value]],
      ),
      invalid('header_invalid'),
    ),
    vector(
      'another webhook-id',
      withHeaders(([name, value]) =>
        name.startsWith('x-signature') ? [] : [[name, name === 'webhook-id' ? `${value}0` : value]],
      ),
      invalid('wrong_secret'),
    ),
    vector(
      'empty signature',
      withHeaders(([name, value]) =>
        name.startsWith('x-signature') ? [] : [[name, name === 'webhook-signature' ? 'v1,' : value]],
      ),
      invalid('header_invalid'),
    ),
  ]
}

/** The signature is valid, but a library rejects the request. */
function rejected(code: string): Vector['expected'] {
  return { is_valid: false, code, is_signed: true }
}

/** Requests by someone who has captured genuine ones, or knows no secret. */
function hostileVectors({ signed, vector }: Builder): Vector[] {
  // The text of an SMS, which in a form would be fields of another event. Without spaces, so that a query can have it.
  const text = '&webhook_event=voice_call&webhook_timestamp=2026-11-15T09:30:00Z&status=forged&'
  const json = signed({ data: { ...sample, text } })
  const form = signed({ data: sample, method: 'POST' })
  const withContentType = (request: Vector['request'], type: string): Vector['request'] => ({
    ...request,
    headers: request.headers.map(([name, value]) => [name, name === 'content-type' ? type : value]),
  })
  const replaceHeader = (pattern: RegExp, change: (value: string) => string[]): Vector['request'] => ({
    ...json,
    headers: json.headers.flatMap(([name, value]) =>
      pattern.test(name)
        ? change(value).map((changed): [string, string] => [name, changed])
        : [[name, value] as [string, string]],
    ),
  })
  const ownData = 'https://shop.example/webhooks?data[text]=own&shop=1'
  return [
    vector(
      'JSON with the content type of a form',
      withContentType(json, 'application/x-www-form-urlencoded'),
      rejected('unreadable'),
    ),
    vector(
      'a form with the content type of JSON',
      withContentType(form, 'application/json'),
      rejected('unreadable'),
    ),
    vector(
      'JSON as the query of a GET',
      { ...json, method: 'GET', url: `https://shop.example/webhooks?${json.body}`, body: '' },
      rejected('unreadable'),
    ),
    vector(
      'the URL of a GET has a field data of its own',
      signed({ data: sample, method: 'GET', hookUrl: ownData }),
      { is_valid: true, event: { id: eventId, webhook_event: 'sms_mo', data: asText(sample) } },
      { url: ownData },
    ),
    vector(
      'more than 20 signatures',
      replaceHeader(/^webhook-signature$/, (value) => [`${'v1,AAAA '.repeat(20)}${value}`]),
      rejected('header_invalid'),
    ),
    vector(
      'the account signature without webhook-id',
      replaceHeader(/^webhook-/, () => []),
      invalid('header_missing'),
      { secrets: [] },
    ),
    vector('no secret', json, invalid('no_secret'), { secrets: [], signing_key: '' }),
    vector('secret of another form', json, invalid('no_secret'), { secrets: ['whsec_…'], signing_key: '' }),
  ]
}

/** `at`: when the requests were signed, in Unix seconds. */
export function buildVectors(at = fixedTime): { vectors: Vector[] } {
  const builder = createBuilder(at)
  return {
    vectors: [
      ...validVectors(builder),
      halfCharacter(builder),
      ...trapVectors(builder),
      ...hostileVectors(builder),
    ],
  }
}
