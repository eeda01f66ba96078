/**
 * Hostile requests by family, over raw sockets against a running process. Each has an expected status and code (`null`
 * for success). No request causes an internal error or reveals internals, and the service works normally after each.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/http-call.ts'
import { rawRequest, splitResponses } from '../support/raw-socket.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let hooks: string
let key: string

beforeAll(async () => {
  // Each hostile call is followed by a normal one, which exceeds the default rate limit.
  hookline = await startTestService({ CALLS_PER_MINUTE: '100000' })
  hooks = `${hookline.url}/api/hooks`
  key = (await hookline.account()).key
})
afterAll(() => hookline.close())

afterEach(async () => {
  const normal = await call(hooks, { key })
  expect(normal.status).toBe(200)
  expect(normal.json.success).toBe(true)
})

// Requests are Latin-1 texts, one byte per character, with KEY as placeholder for the API key.

const keepAliveHeaders = 'Host: localhost\r\nX-Api-Key: KEY\r\n'
const closeHeaders = `${keepAliveHeaders}Connection: close\r\n`
const formType = 'Content-Type: application/x-www-form-urlencoded\r\n'
const jsonType = 'Content-Type: application/json\r\n'
const validForm = 'target_url=https://example.com/hostile&event_type=sms_mo'
const validJson = '"target_url":"https://example.com/hostile","event_type":"sms_mo"'

type Case = readonly [name: string, request: string, status: number, code: number | null]

function request(line: string, headers = '', body = ''): string {
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
  return `${line} HTTP/1.1\r\n${closeHeaders}${headers}${length}\r\n${body}`
}

const query = (params: string): string => request(`POST /api/hooks?${params}`)
const form = (params: string): string => request('POST /api/hooks', formType, params)
const json = (text: string): string => request('POST /api/hooks', jsonType, text)

/** Returns the UTF-8 bytes of a text as one character each. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('KEY', key), 'latin1')
}

function bytesAfter(text: string, ...more: Buffer[]): Buffer {
  return Buffer.concat([bytesOf(text), ...more])
}

async function respondTo(bytes: Buffer): Promise<{ status: number; code: number | null }> {
  const received = await rawRequest(hookline.url, bytes)
  expectNoInternals(received)
  const responses = splitResponses(received)
  expect(responses).toHaveLength(1)
  const { status, headers, body } = responses[0] ?? { status: 0, headers: '', body: '' }
  expect(headers).toMatch(/^content-type: application\/json; charset=utf-8$/im)
  const envelope = JSON.parse(body)
  if (envelope.code !== null)
    expect(envelope).toEqual({ success: false, code: envelope.code, error_message: expect.any(String) })
  return { status, code: envelope.code }
}

/** Maximum time between two responses on one connection. */
const maxResponseGapMs = 3_000

/** Sends the first `atOnce` bytes in one write, then one byte every 100 ms. */
async function slowRequest(bytes: Buffer, atOnce: number): Promise<string> {
  return rawRequest(hookline.url, bytes, { firstByteMs: 30_000, dribble: { bytes: 1, everyMs: 100, atOnce } })
}

async function disconnect(bytes: Buffer, mode: 'end' | 'reset'): Promise<void> {
  const { hostname, port } = new URL(hookline.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.write(bytes, resolve))
  if (mode === 'end') socket.destroy()
  else socket.resetAndDestroy()
  await closed
}

async function statuses(text: string): Promise<number[]> {
  const received = await rawRequest(hookline.url, bytesOf(text), { idleMs: maxResponseGapMs })
  expectNoInternals(received)
  return splitResponses(received).map(({ status }) => status)
}

function expectNoInternals(received: string): void {
  expect(received).not.toMatch(/^ +at |node_modules|node:internal|\.ts\b|FST_ERR|HPE_|SELECT |INSERT /m)
}

function family(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    test.each(cases)('%s', async (_name, text, status, code) => {
      expect(await respondTo(bytesOf(text))).toEqual({ status, code })
    })
  })
}

family('types', [
  ['JSON that is a list', json('[]'), 400, 1000],
  ['JSON that is a list of pairs', json('[["target_url","https://example.com/"]]'), 400, 1000],
  ['JSON that is a text', json('"target_url"'), 400, 1000],
  ['JSON that is a number', json('1'), 400, 1000],
  ['JSON that is true', json('true'), 400, 1000],
  ['JSON that is null', json('null'), 400, 1000],
  ['JSON that is only whitespace', json(' \n'), 400, 1000],
  ['two JSON values', json(`{${validJson}}{}`), 400, 1000],
  ['JSON with a comment', json(`{${validJson}/* */}`), 400, 1000],
  ['JSON with a trailing comma', json(`{${validJson},}`), 400, 1000],
  ['NaN in JSON', json('{"id":NaN}'), 400, 1000],
  ['an empty object', json('{}'), 400, 1010],
  ['a URL in a list', json('{"target_url":["https://example.com/"],"event_type":"dlr"}'), 400, 1012],
  ['an empty list as URL', json('{"target_url":[],"event_type":"dlr"}'), 400, 1012],
  ['an object as URL', json('{"target_url":{"href":"https://example.com/"}}'), 400, 1012],
  ['a number as URL', json('{"target_url":5,"event_type":"dlr"}'), 400, 1020],
  ['a list as type', json('{"target_url":"https://example.com/","event_type":["dlr"]}'), 400, 1012],
  ['a number as type', json('{"target_url":"https://example.com/","event_type":1}'), 400, 1012],
  ['a query operator as filter', json(`{${validJson},"event_filter":{"$ne":null}}`), 400, 1012],
  // As the text "false" the filter would never match, and the hook would never receive events.
  ['false as filter', json(`{${validJson},"event_filter":false}`), 400, 1012],
  ['an object as method', json(`{${validJson},"request_method":{}}`), 400, 1012],
  ['headers as a list', json(`{${validJson},"headers":["X-A: 1"]}`), 400, 1012],
  ['headers as an object', json(`{${validJson},"headers":{"X-A":"1"}}`), 200, null],
  ['a reserved name in an object of headers', json(`{${validJson},"headers":{"Host":"x"}}`), 400, 1021],
  ['a line break in an object of headers', json(`{${validJson},"headers":{"X-A":"1\\nX-B: 2"}}`), 400, 1021],
  ['an action in a list', json(`{${validJson},"action":["subscribe"]}`), 400, 1012],
  ['a query operator as key', json(`{${validJson},"p":{"$gt":""}}`), 400, 1012],
  ['a list as login', json(`{${validJson},"u":[]}`), 400, 1012],
  ['unknown parameters of any type', json(`{${validJson},"a":[],"b":{},"c":false,"d":1e400}`), 200, null],
  ['lists nested 60,000 deep', json('['.repeat(60_000) + ']'.repeat(60_000)), 400, 1000],
  ['lists nested 120,000 deep and never closed', json('['.repeat(120_000)), 400, 1000],
  ['objects nested 20,000 deep and never closed', json('{"a":'.repeat(20_000)), 400, 1000],
  [
    'lists nested 50,000 deep as a parameter',
    json(`{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    400,
    1012,
  ],
  [
    'objects nested 15,000 deep in an unknown parameter',
    json(`{${validJson},"x":${'{"id":'.repeat(15_000)}1${'}'.repeat(15_000)}}`),
    200,
    null,
  ],
  ['a form name that ends in []', form('target_url[]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a form name with an index', form('target_url[0]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a form name with a member', form('target_url[href]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a query name that ends in []', query('target_url[]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a name without a value', form('target_url&event_type'), 400, 1010],
  ['a form of separators only', form('&'.repeat(100_000)), 400, 1000],
  ['a form of 40,000 names', form('a=&'.repeat(40_000)), 400, 1000],
])

family('parameter pollution', [
  ['twice in the query', query(`${validForm}&event_type=dlr`), 400, 1011],
  ['twice in the form', form(`${validForm}&event_type=dlr`), 400, 1011],
  ['twice in JSON', json(`{${validJson},"event_type":"dlr"}`), 400, 1011],
  ['twice in JSON, once with an escape', json(`{${validJson},"event\\u005ftype":"dlr"}`), 400, 1011],
  ['twice in JSON, around a nested object', json(`{"id":1,"x":{"id":3},"id":2,${validJson}}`), 400, 1011],
  [
    'only nested in JSON',
    json(`{${validJson},"x":{"event_type":"dlr"},"y":[{"event_type":"rcs"}]}`),
    200,
    null,
  ],
  ['twice in the query, once encoded', query(`${validForm}&%65vent_type=dlr`), 400, 1011],
  [
    'in query and form',
    request('POST /api/hooks?event_type=dlr', formType, 'event_type=rcs&target_url=https://example.com/'),
    400,
    1011,
  ],
  [
    'in query and JSON',
    request(
      'POST /api/hooks?event_type=dlr',
      jsonType,
      '{"event_type":"rcs","target_url":"https://a.example/"}',
    ),
    400,
    1011,
  ],
  ['the same value twice in the query', query(`${validForm}&event_type=sms_mo`), 200, null],
  ['the same value twice in the form', form(`${validForm}&${validForm}`), 200, null],
  ['the same value twice in JSON', json(`{${validJson},"event_type":"sms_mo"}`), 200, null],
  [
    'the same value in query and JSON',
    request(`POST /api/hooks?${validForm}`, jsonType, `{${validJson}}`),
    200,
    null,
  ],
  ['two keys', request('GET /api/hooks?p=KEY&p=hlk_other'), 400, 1011],
  ['two keys in query and form', request('POST /api/hooks?p=KEY', formType, 'p=other'), 400, 1011],
  ['two actions', form('action=subscribe&action=unsubscribe&id=1'), 400, 1011],
  ['two IDs', request('DELETE /api/hooks?id=2147483647', formType, 'id=2147483646'), 400, 1011],
  [
    'the same ID as text and as number',
    request('DELETE /api/hooks?id=2147483647', jsonType, '{"id":2147483647}'),
    404,
    1100,
  ],
  ['empty and set', form(`event_type=&${validForm}&event_type=`), 200, null],
  ['null and set', form(`event_type=null&${validForm}`), 200, null],
  ['another case of a name', form(`${validForm}&EVENT_TYPE=dlr&Event_Type=rcs`), 200, null],
  ['only another case of a name', form('TARGET_URL=https://example.com/&event_type=dlr'), 400, 1010],
  ['a name with a space', form('+target_url=https://example.com/&event_type=dlr'), 400, 1010],
  ['a semicolon as separator', query('target_url=https://example.com/;event_type=dlr'), 400, 1010],
  ['a second question mark', query(`x=1?${validForm}`), 400, 1010],
  ['an unknown parameter, 100 times', form(`${validForm}${'&x=1&x=2'.repeat(50)}`), 200, null],
  ['more parameters than any client sends', form(`${validForm}${'&x=1'.repeat(200)}`), 400, 1000],
])

const prototypeNames = ['__proto__', 'constructor', 'toString']

family(
  'names from the prototype, as parameters',
  prototypeNames.flatMap((name): Case[] => [
    [`${name} in the query`, query(`${name}=dlr&${name}[event_type]=dlr&${validForm}`), 200, null],
    [`${name} in the form`, form(`${name}=dlr&${name}[event_type]=dlr&${validForm}`), 200, null],
    [`${name} in JSON`, json(`{${validJson},"${name}":{"event_type":"dlr"}}`), 200, null],
    [`${name} in JSON as the only one`, json(`{"${name}":{${validJson}}}`), 400, 1010],
    [`${name} as path`, request(`GET /api/${name}`), 404, 1110],
    [`${name} as path outside the API`, request(`GET /${name}`), 404, 1110],
    [`${name} as header`, request('GET /api/hooks', `${name}: 1\r\n`), 200, null],
  ]),
)

const prototypeValues = [
  ['event_type', 'target_url=https://example.com/', 400, 1012],
  ['target_url', 'event_type=dlr', 400, 1020],
  ['request_method', validForm, 400, 1012],
  ['headers', validForm, 400, 1021],
  ['event_filter', validForm, 200, null],
  // The action dialect returns errors with status 200.
  ['action', validForm, 200, 1012],
] as const

family(
  'names from the prototype, as values',
  prototypeNames.flatMap((value) =>
    prototypeValues.flatMap(([name, rest, status, code]): Case[] => [
      [`${name}=${value} in the query`, query(`${name}=${value}&${rest}`), status, code],
      [`${name}=${value} in the form`, form(`${name}=${value}&${rest}`), status, code],
      [
        `${name}=${value} in JSON`,
        request(`POST /api/hooks?${rest}`, jsonType, `{"${name}":"${value}"}`),
        status,
        code,
      ],
    ]),
  ),
)

family('names from the prototype, as credentials', [
  [
    'as key',
    'GET /api/hooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Api-Key: __proto__\r\n\r\n',
    401,
    900,
  ],
  ['as p', 'GET /api/hooks?p=constructor HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 401, 900],
  [
    'as login',
    'GET /api/hooks?u=__proto__&p=toString HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    401,
    900,
  ],
  [
    'as scheme',
    'GET /api/hooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: __proto__ x\r\n\r\n',
    401,
    900,
  ],
])

const badUtf8 = [
  ['a byte that is never UTF-8', '\xff'],
  ['a continuation byte alone', '\x80'],
  ['a truncated sequence', '\xe2\x82'],
  ['an overlong slash', '\xc0\xaf'],
  ['an overlong NUL', '\xc0\x80'],
  ['a surrogate', '\xed\xa0\x80'],
  ['a surrogate pair, each encoded', '\xed\xa0\xbd\xed\xb8\x80'],
  ['beyond the last character', '\xf4\x90\x80\x80'],
] as const

const percent = (bytes: string): string =>
  bytes.replaceAll(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

family(
  'bad UTF-8',
  badUtf8.flatMap(([name, bytes]): Case[] => [
    [`${name}, raw in a form`, form(`${validForm}&event_filter=${bytes}`), 400, 1000],
    [`${name}, raw in JSON`, json(`{${validJson},"event_filter":"${bytes}"}`), 400, 1000],
    [`${name}, raw in a query`, query(`${validForm}&event_filter=${bytes}`), 400, 1000],
    [`${name}, raw in a path`, request(`GET /api/${bytes}`), 400, 1000],
    [`${name}, encoded in a form`, form(`${validForm}&event_filter=${percent(bytes)}`), 400, 1000],
    [`${name}, encoded in a query`, query(`${validForm}&event_filter=${percent(bytes)}`), 400, 1000],
    [`${name}, encoded in a name`, form(`${validForm}&${percent(bytes)}=1`), 400, 1000],
    [`${name}, encoded in a path`, request(`GET /api/${percent(bytes)}`), 400, 1000],
  ]),
)

family('text', [
  ['UTF-8, raw in a form', form(`${validForm}&event_filter=${utf8('Zürich 😀')}`), 200, null],
  ['UTF-8, raw in JSON', json(`{${validJson},"event_filter":"${utf8('Zürich 😀')}"}`), 200, null],
  ['UTF-8, encoded in a query', query(`${validForm}&event_filter=Z%C3%BCrich%20%F0%9F%98%80`), 200, null],
  // Bytes above 127 in a request line have no defined encoding.
  ['UTF-8, raw in a query', query(`${validForm}&event_filter=${utf8('ü')}`), 400, 1000],
  ['a percent sign alone', form(`${validForm}&event_filter=%`), 400, 1000],
  ['a percent sign without digits', form(`${validForm}&event_filter=%zz`), 400, 1000],
  ['%u escapes', form(`${validForm}&event_filter=%u0041`), 400, 1000],
  ['a lone surrogate in JSON', json(`{${validJson},"event_filter":"\\ud800"}`), 400, 1012],
  ['surrogates in reverse order', json(`{${validJson},"event_filter":"\\udc00\\ud800"}`), 400, 1012],
  ['a lone surrogate as a name in JSON', json(`{${validJson},"\\ud800":1}`), 200, null],
  ['a byte order mark before JSON', json(utf8(`\ufeff{${validJson}}`)), 200, null],
  ['two byte order marks before JSON', json(utf8(`\ufeff\ufeff{${validJson}}`)), 400, 1000],
  ['JSON in UTF-16', json(Buffer.from(`\ufeff{${validJson}}`, 'utf16le').toString('latin1')), 400, 1000],
  [
    'a byte above 127 in a key',
    'GET /api/hooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Api-Key: \xff\r\n\r\n',
    401,
    900,
  ],
  [
    'a byte above 127 in the content type',
    request('POST /api/hooks', 'Content-Type: \xff\xfe\r\n', validForm),
    415,
    1002,
  ],
])

family(
  'NUL in every parameter',
  (
    [
      ['action', 1012],
      ['id', 1012],
      // Clients expect the same error for every malformed URL.
      ['target_url', 1020],
      ['event_type', 1012],
      ['event_filter', 1012],
      ['request_method', 1012],
      ['headers', 1012],
      ['u', 1012],
      ['p', 1012],
    ] as const
  ).flatMap(([name, code]): Case[] => [
    [`${name} in the query`, query(`${name}=a%00b`), 400, code],
    [`${name} in the form`, form(`${name}=%00`), 400, code],
    [`${name} in JSON`, json(`{"${name}":"a\\u0000"}`), 400, code],
  ]),
)

family('NUL elsewhere', [
  ['raw in a form', form(`${validForm}&event_filter=a\0b`), 400, 1012],
  ['raw in JSON', json(`{${validJson},"event_filter":"a\0b"}`), 400, 1000],
  ['raw after JSON', json(`{${validJson}}\0`), 400, 1000],
  ['raw in a query', query('id=1\0'), 400, 1000],
  ['raw in the path', request('GET /api/hooks\0'), 400, 1000],
  ['raw in a header', request('GET /api/hooks', 'X-A: a\0b\r\n'), 400, 1000],
  ['raw in a header name', request('GET /api/hooks', 'X\0A: b\r\n'), 400, 1000],
  ['raw in the method', request('GE\0T /api/hooks'), 400, 1000],
  ['encoded in the path', request('GET /api/hooks%00'), 404, 1110],
  ['encoded after a path', request('GET /api/hooks%00.json'), 404, 1110],
  ['after the name of a parameter', form('target_url%00=https://example.com/&event_type=dlr'), 400, 1010],
  ['in the name of an unknown parameter', form(`${validForm}&x%00=1`), 200, null],
  ['as the value of an unknown parameter', json(`{${validJson},"x":"\\u0000"}`), 200, null],
])

const ids = [
  ['2147483647', 404, 1100],
  ['2147483648', 404, 1100],
  ['4294967297', 404, 1100],
  ['9007199254740992', 404, 1100],
  ['9007199254740993', 404, 1100],
  ['1e400', 400, 1012],
  ['-1', 400, 1012],
  ['1.5', 400, 1012],
  ['0', 400, 1012],
] as const

family(
  'numbers as id',
  ids.flatMap(([id, status, code]): Case[] => [
    [`${id} in the query`, request(`DELETE /api/hooks?id=${id}`), status, code],
    [`${id} in a form`, request('DELETE /api/hooks', formType, `id=${id}`), status, code],
    [`${id} in JSON`, request('DELETE /api/hooks', jsonType, `{"id":${id}}`), status, code],
    [`${id} in JSON as text`, request('DELETE /api/hooks', jsonType, `{"id":"${id}"}`), status, code],
  ]),
)

family('near-numbers as id', [
  ...[
    '0x10',
    '%201',
    '1%20',
    '1%0A',
    '%EF%BC%91',
    '%D9%A3',
    '01',
    '%2B1',
    '1,2',
    '1e0',
    '1_0',
    'NaN',
    'Infinity',
    'true',
    '[1]',
  ].map((id): Case => [id, request(`DELETE /api/hooks?id=${id}`), 400, 1012]),
  ['a thousand digits', request(`DELETE /api/hooks?id=${'9'.repeat(1_000)}`), 400, 1012],
  ['a leading space in JSON', request('DELETE /api/hooks', jsonType, '{"id":" 1"}'), 400, 1012],
  ['a full-width digit in JSON', request('DELETE /api/hooks', jsonType, `{"id":"${utf8('１')}"}`), 400, 1012],
  ['hexadecimal in JSON', request('DELETE /api/hooks', jsonType, '{"id":0x10}'), 400, 1000],
  ['minus zero in JSON', request('DELETE /api/hooks', jsonType, '{"id":-0}'), 400, 1012],
  ['true in JSON', request('DELETE /api/hooks', jsonType, '{"id":true}'), 400, 1012],
  ['a list in JSON', request('DELETE /api/hooks', jsonType, '{"id":[1]}'), 400, 1012],
  ['an operator in JSON', request('DELETE /api/hooks', jsonType, '{"id":{"$gt":0}}'), 400, 1012],
  ['null in JSON', request('DELETE /api/hooks', jsonType, '{"id":null}'), 400, 1010],
])

const withContentType = (headers: string, body = validForm): string =>
  request('POST /api/hooks', headers, body)
const gzipped = gzipSync(validForm).toString('latin1')

family('content types', [
  ['none', withContentType(''), 200, null],
  ['an empty type', withContentType('Content-Type:\r\n'), 415, 1002],
  [
    'multipart with a part without headers',
    withContentType('Content-Type: multipart/form-data; boundary=x\r\n', '--x\r\n\r\n--x--\r\n'),
    400,
    1000,
  ],
  ['multipart without boundary', withContentType('Content-Type: multipart/form-data\r\n'), 400, 1000],
  ['plain text', withContentType('Content-Type: text/plain\r\n', `{${validJson}}`), 415, 1002],
  [
    'XML',
    withContentType('Content-Type: application/xml\r\n', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'),
    415,
    1002,
  ],
  ['bytes', withContentType('Content-Type: application/octet-stream\r\n'), 415, 1002],
  [
    'vendor-specific JSON',
    withContentType('Content-Type: application/vnd.api+json\r\n', `{${validJson}}`),
    415,
    1002,
  ],
  [
    'JSON in UTF-16',
    withContentType('Content-Type: application/json; charset=utf-16\r\n', `{${validJson}}`),
    415,
    1002,
  ],
  [
    'a form in Latin-1',
    withContentType('Content-Type: application/x-www-form-urlencoded; charset=iso-8859-1\r\n'),
    415,
    1002,
  ],
  [
    'two character sets',
    withContentType('Content-Type: application/json; charset=utf-8; charset=utf-16\r\n', `{${validJson}}`),
    415,
    1002,
  ],
  [
    'UTF-8 in quotes and capitals',
    withContentType('Content-Type: application/json; Charset="UTF-8"\r\n', `{${validJson}}`),
    200,
    null,
  ],
  ['capitals', withContentType('CONTENT-TYPE: APPLICATION/X-WWW-FORM-URLENCODED\r\n'), 200, null],
  [
    'an unknown attribute',
    withContentType('Content-Type: application/json; version=2\r\n', `{${validJson}}`),
    200,
    null,
  ],
  ['an incomplete type', withContentType('Content-Type: application\r\n'), 415, 1002],
  ['a slash', withContentType('Content-Type: /\r\n'), 415, 1002],
  ['semicolons', withContentType('Content-Type: ;;;\r\n'), 415, 1002],
  ['three parts', withContentType('Content-Type: application/json/x\r\n', `{${validJson}}`), 415, 1002],
  ['a wildcard', withContentType('Content-Type: */*\r\n'), 415, 1002],
  ['__proto__', withContentType('Content-Type: __proto__\r\n'), 415, 1002],
  [
    'a list',
    withContentType('Content-Type: application/x-www-form-urlencoded, application/json\r\n'),
    415,
    1002,
  ],
  // A proxy that reads the other header would see different parameters.
  ['form, then JSON', withContentType(`${formType}${jsonType}`), 415, 1002],
  ['JSON, then form', withContentType(`${jsonType}${formType}`, `{${validJson}}`), 415, 1002],
  [
    'a type of 8,000 bytes',
    withContentType(`Content-Type: application/json;${' '.repeat(8_000)}a=b\r\n`, `{${validJson}}`),
    200,
    null,
  ],
  ['a form declared as JSON', withContentType(jsonType), 400, 1000],
  ['JSON declared as a form', withContentType(formType, `{${validJson}}`), 200, null],
  ['a list declared as a form', withContentType(formType, `[{${validJson}}]`), 400, 1010],
  ['JSON without a body', request('DELETE /api/hooks?id=2147483647', jsonType), 404, 1100],
  [
    'an unsupported type without a body',
    request('DELETE /api/hooks?id=2147483647', 'Content-Type: image/png\r\n'),
    404,
    1100,
  ],
  // RFC 9110 15.5.16: an unsupported content coding is rejected and not ignored.
  ['a compressed body', withContentType(`${formType}Content-Encoding: gzip\r\n`, gzipped), 415, 1002],
  [
    'an uncompressed body declared as gzip',
    withContentType(`${formType}Content-Encoding: gzip\r\n`),
    415,
    1002,
  ],
  ['an unknown content coding', withContentType(`${formType}Content-Encoding: x-rot13\r\n`), 415, 1002],
  ['the coding "identity"', withContentType(`${formType}Content-Encoding: identity\r\n`), 200, null],
])

const chunked = `${formType}Transfer-Encoding: chunked\r\n`
const inChunks = `${validForm.length.toString(16)}\r\n${validForm}\r\n0\r\n\r\n`
/** A request smuggled behind the first one. If the server accepted it, there would be two responses. */
const smuggled = `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}\r\n`

/** Builds a request on a keep-alive connection. */
const framed = (headers: string, rest = ''): string =>
  `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${headers}\r\n${rest}`

family('framing', [
  ['a length and chunks', framed(`Content-Length: 5\r\n${chunked}`, `0\r\n\r\n${smuggled}`), 400, 1000],
  ['chunks and a length', framed(`${chunked}Content-Length: 5\r\n`, `0\r\n\r\n${smuggled}`), 400, 1000],
  ['a length of 0 and chunks', framed(`Content-Length: 0\r\n${chunked}`, inChunks), 400, 1000],
  [
    'two lengths',
    framed(`${formType}Content-Length: 5\r\nContent-Length: 60\r\n`, `aaaaa${smuggled}`),
    400,
    1000,
  ],
  [
    'the same length twice',
    framed(`${formType}Content-Length: 5\r\nContent-Length: 5\r\n`, 'aaaaa'),
    400,
    1000,
  ],
  ['a list of lengths', framed(`${formType}Content-Length: 5, 5\r\n`, 'aaaaa'), 400, 1000],
  ['a length with a sign', framed(`${formType}Content-Length: +5\r\n`, 'aaaaa'), 400, 1000],
  ['a negative length', framed(`${formType}Content-Length: -1\r\n`, smuggled), 400, 1000],
  ['a hexadecimal length', framed(`${formType}Content-Length: 0x5\r\n`, 'aaaaa'), 400, 1000],
  ['a length of 23 digits', framed(`${formType}Content-Length: 99999999999999999999999\r\n`, 'a'), 400, 1000],
  ['a length with a space inside', framed(`${formType}Content-Length: 5 5\r\n`, 'aaaaa'), 400, 1000],
  ['an empty length', framed(`${formType}Content-Length:\r\n`, smuggled), 400, 1000],
  ['identity', framed(`${formType}Transfer-Encoding: identity\r\n`, smuggled), 400, 1000],
  ['xchunked', framed(`${formType}Transfer-Encoding: xchunked\r\n`, inChunks), 400, 1000],
  [
    'chunked, then identity',
    framed(`${formType}Transfer-Encoding: chunked, identity\r\n`, inChunks),
    400,
    1000,
  ],
  [
    'chunked and identity on two lines',
    framed(`${chunked}Transfer-Encoding: identity\r\n`, inChunks),
    400,
    1000,
  ],
  ['chunked twice', framed(`${chunked}Transfer-Encoding: chunked\r\n`, inChunks), 400, 1000],
  [
    'chunked after a vertical tab',
    framed(`${formType}Transfer-Encoding: \x0bchunked\r\n`, inChunks),
    400,
    1000,
  ],
  ['chunked in quotes', framed(`${formType}Transfer-Encoding: "chunked"\r\n`, inChunks), 400, 1000],
  // Compression is not supported, so decoding only the chunks would give a wrong body.
  ['gzip, then chunked', framed(`${formType}Transfer-Encoding: gzip, chunked\r\n`, inChunks), 400, 1000],
  ['a non-numeric chunk size', framed(chunked, 'zz\r\n\r\n'), 400, 1000],
  ['a negative chunk size', framed(chunked, '-1\r\n\r\n'), 400, 1000],
  ['a chunk size with 0x', framed(chunked, '0x1\r\na\r\n0\r\n\r\n'), 400, 1000],
  ['a chunk size of 17 digits', framed(chunked, 'fffffffffffffffff\r\na\r\n'), 400, 1000],
  ['a chunk longer than its size', framed(chunked, '1\r\nab\r\n0\r\n\r\n'), 400, 1000],
  ['a chunk size before a bare LF', framed(chunked, '1\na\r\n0\r\n\r\n'), 400, 1000],
  [
    'a chunk extension of 20,000 bytes',
    framed(chunked, `1;${'a'.repeat(20_000)}\r\na\r\n0\r\n\r\n`),
    400,
    1000,
  ],
  ['a folded header', framed('X-A: b\r\n c\r\n'), 400, 1000],
  [
    'a folded Transfer-Encoding',
    framed(`${formType}Transfer-Encoding:\r\n chunked\r\n`, inChunks),
    400,
    1000,
  ],
  [
    'a first header that starts with a space',
    `GET /api/hooks HTTP/1.1\r\n X-A: b\r\n${keepAliveHeaders}\r\n`,
    400,
    1000,
  ],
  ['bare LFs', 'GET /api/hooks HTTP/1.1\nHost: localhost\nX-Api-Key: KEY\n\n', 400, 1000],
  ['one bare LF', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}X-A: b\nX-B: c\r\n\r\n`, 400, 1000],
  ['a bare LF at the end', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}\n`, 400, 1000],
  ['a bare CR', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}X-A: b\rX-B: c\r\n\r\n`, 400, 1000],
  ['a space before a colon', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}X-A : b\r\n\r\n`, 400, 1000],
  ['a space before the colon of the length', framed('Content-Length : 5\r\n', `aaaaa${smuggled}`), 400, 1000],
  [
    'a tab before the colon of the coding',
    framed(`${formType}Transfer-Encoding\t: chunked\r\n`, inChunks),
    400,
    1000,
  ],
  ['a header without a name', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}: b\r\n\r\n`, 400, 1000],
  ['a header without a colon', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}abc\r\n\r\n`, 400, 1000],
  ['a header name in brackets', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}(a): b\r\n\r\n`, 400, 1000],
  ['a header of 20,000 bytes', request('GET /api/hooks', `X-A: ${'a'.repeat(20_000)}\r\n`), 400, 1000],
  ['5,000 headers', request('GET /api/hooks', 'X-A: b\r\n'.repeat(5_000)), 400, 1000],
  // RFC 9112 3.2: a missing or repeated Host must get 400.
  ['no host', 'GET /api/hooks HTTP/1.1\r\nX-Api-Key: KEY\r\nConnection: close\r\n\r\n', 400, 1000],
  ['two hosts', request('GET /api/hooks', 'Host: other.example\r\n'), 400, 1000],
  ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 1000],
  ['HTTP/1.2', `GET /api/hooks HTTP/1.2\r\n${keepAliveHeaders}\r\n`, 400, 1000],
  ['another protocol', `GET /api/hooks ICE/1.0\r\n${keepAliveHeaders}\r\n`, 400, 1000],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 1000],
  ['prose', 'please list my webhooks\r\n\r\n', 400, 1000],
])

family('valid framing', [
  ['chunks', request('POST /api/hooks', chunked).concat(inChunks), 200, null],
  [
    'chunks in capitals',
    request('POST /api/hooks', `${formType}Transfer-Encoding: CHUNKED\r\n`).concat(inChunks),
    200,
    null,
  ],
  [
    'one byte per chunk',
    request('POST /api/hooks', chunked).concat(validForm.replaceAll(/./g, '1\r\n$&\r\n'), '0\r\n\r\n'),
    200,
    null,
  ],
  [
    'a trailer, which is ignored',
    request('POST /api/hooks', chunked).concat(inChunks.slice(0, -2), 'X-Api-Key: other\r\n\r\n'),
    200,
    null,
  ],
  ['an empty line before the request', `\r\n\r\n${request('GET /api/hooks')}`, 200, null],
  ['the absolute form', request('GET http://other.example/api/hooks'), 200, null],
  [
    'a body with GET, which is ignored',
    request('GET /api/hooks', formType, 'action=subscribe&id=%zz'),
    200,
    null,
  ],
  [
    'an unsupported upgrade',
    request('GET /api/hooks', 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'),
    200,
    null,
  ],
  ['HTTP/1.0', 'GET /api/hooks HTTP/1.0\r\nX-Api-Key: KEY\r\n\r\n', 200, null],
])

family('methods', [
  ...['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'PURGE', 'SUBSCRIBE'].flatMap(
    (method): Case[] => [
      [method, request(`${method} /api/hooks`), 405, 1111],
      [`${method} with a body`, request(`${method} /api/hooks`, formType, validForm), 405, 1111],
      [`${method} with a body of no type`, request(`${method} /api/hooks`, '', validForm), 405, 1111],
      [`${method} elsewhere`, request(`${method} /elsewhere`), 404, 1110],
    ],
  ),
  ['get', request('get /api/hooks'), 400, 1000],
  ['Post', request('Post /api/hooks'), 400, 1000],
  ['DELETED', request('DELETED /api/hooks'), 400, 1000],
  ['an unknown method', request('FOO /api/hooks'), 400, 1000],
  ['no method', request(' /api/hooks'), 400, 1000],
  ['a method of 100,000 letters', request(`${'A'.repeat(100_000)} /api/hooks`), 400, 1000],
  [
    'a header that names another method',
    request('GET /api/hooks', 'X-HTTP-Method-Override: DELETE\r\n'),
    200,
    null,
  ],
  [
    'a parameter that names another method',
    request('POST /api/hooks?_method=DELETE&id=1', formType, validForm),
    200,
    null,
  ],
])

family('paths', [
  ['//api/hooks', request('GET //api/hooks'), 404, 1110],
  ['/api//hooks', request('GET /api//hooks'), 404, 1110],
  ['/api/./hooks', request('GET /api/./hooks'), 404, 1110],
  ['/x/../api/hooks', request('GET /x/../api/hooks'), 404, 1110],
  ['/docs/../api/hooks', request('GET /docs/../api/hooks'), 404, 1110],
  ['/docs/%2e%2e/%2e%2e/package.json', request('GET /docs/%2e%2e/%2e%2e/package.json'), 404, 1110],
  ['/docs/js/..%2f..%2f..%2fpackage.json', request('GET /docs/js/..%2f..%2f..%2fpackage.json'), 404, 1110],
  // The same path by RFC 3986 6.2.2.2.
  ['/api/%68ooks', request('GET /api/%68ooks'), 200, null],
  ['/%61pi/hooks', request('GET /%61pi/hooks'), 200, null],
  ['/api/hooks/', request('GET /api/hooks/'), 404, 1110],
  ['/api%2fhooks', request('GET /api%2fhooks'), 404, 1110],
  ['/api/hooks%2f', request('GET /api/hooks%2f'), 404, 1110],
  ['/api/hooks%3Fid=1', request('DELETE /api/hooks%3Fid=1'), 404, 1110],
  ['/api/hooks;id=1', request('DELETE /api/hooks;id=1'), 404, 1110],
  ['/api/hooks%', request('GET /api/hooks%'), 400, 1000],
  ['/api/hooks%zz', request('GET /api/hooks%zz'), 400, 1000],
  ['/%', request('GET /%'), 400, 1000],
  ['/API/hooks', request('GET /API/hooks'), 404, 1110],
  ['/api/hooks\\', request('GET /api/hooks\\'), 404, 1110],
  ['api/hooks', request('GET api/hooks'), 400, 1000],
  ['/api/ho oks', request('GET /api/ho oks'), 400, 1000],
  ['ftp://other.example/api/hooks', request('GET ftp://other.example/api/hooks'), 404, 1110],
  ['a host alone', request('GET localhost:80'), 400, 1000],
  ['/api', request('GET /api'), 404, 1110],
  ['/api/sms', request('POST /api/sms', formType, 'to=1&text=x'), 404, 1110],
  ['a question mark and nothing', request('GET /api/hooks?'), 200, null],
  ['question marks', request('GET /api/hooks???'), 200, null],
  ['a query of separators', request('GET /api/hooks?&&=&&'), 200, null],
  ['a query that is a percent sign', request('GET /api/hooks?%'), 400, 1000],
  ['an invalid name of an unknown parameter', request('GET /api/hooks?%zz=1'), 400, 1000],
  ['a path of 10,000 bytes', request(`GET /api/${'a'.repeat(10_000)}`), 404, 1110],
  ['a path of 2,000 parts', request(`GET /api${'/a'.repeat(2_000)}`), 404, 1110],
  ['a query of 10,000 bytes', request(`GET /api/hooks?x=${'a'.repeat(10_000)}`), 200, null],
  ['a request target of 20,000 bytes', request(`GET /api/hooks?x=${'a'.repeat(20_000)}`), 400, 1000],
  ['a request target of 1,000,000 bytes', request(`GET /api/hooks?x=${'a'.repeat(1_000_000)}`), 400, 1000],
])

test('a 405 response lists the allowed methods', async () => {
  const received = await rawRequest(hookline.url, bytesOf(request('PUT /api/hooks')))
  expect(received).toMatch(/^allow: GET, POST, DELETE\r$/im)
})

test('CONNECT opens no tunnel', async () => {
  const tunnel = `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${keepAliveHeaders}\r\n${smuggled}`
  expect(await rawRequest(hookline.url, bytesOf(tunnel))).toBe('')
})

test('an unknown expectation is rejected, and 100-continue is supported', async () => {
  const unknown = await rawRequest(hookline.url, bytesOf(request('GET /api/hooks', 'Expect: magic\r\n')))
  expect(splitResponses(unknown).map(({ status }) => status)).toEqual([417])
  const supported = await rawRequest(
    hookline.url,
    bytesOf(withContentType(`${formType}Expect: 100-continue\r\n`)),
  )
  expect(splitResponses(supported).map(({ status }) => status)).toEqual([100, 200])
})

describe('pipelined requests', () => {
  const requests = {
    list: `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}\r\n`,
    nowhere: `GET /api/nowhere HTTP/1.1\r\n${keepAliveHeaders}\r\n`,
    create: `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}Content-Length: ${validForm.length}\r\n\r\n${validForm}`,
    conflict: `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}Content-Length: 9\r\n\r\nid=1&id=2`,
    put: `PUT /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${chunked}\r\n${inChunks}`,
  }

  test('each request gets one response, in order', async () => {
    const fiveTimes =
      `${requests.list}${requests.nowhere}${requests.create}${requests.conflict}${requests.put}`.repeat(5)
    const responses = [200, 404, 200, 400, 405]
    expect(await statuses(fiveTimes)).toEqual([
      ...responses,
      ...responses,
      ...responses,
      ...responses,
      ...responses,
    ])
  })

  test('a body that looks like a request gets no separate response', async () => {
    const body = `x=${smuggled}${smuggled}`.replaceAll('KEY', key)
    const text = `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}Content-Length: ${body.length}\r\n\r\n${body}`
    expect(await statuses(text)).toEqual([400])
  })

  test('a request after Connection: close gets no response', async () => {
    expect(await statuses(`${request('GET /api/hooks')}${requests.list}`)).toEqual([200])
  })

  test('a request followed by garbage gets its response', async () => {
    const [first] = await statuses(`${requests.create}garbage\r\n\r\n`)
    expect(first).toBe(200)
  })
})

describe('bodies of 10 MB', () => {
  const size = 10 * 1024 * 1024
  const large = Buffer.alloc(size, 'a')
  const announced = `Content-Length: ${size}\r\n`

  test.each([
    ['form', `${formType}${announced}`],
    ['JSON', `${jsonType}${announced}`],
    ['without a type', announced],
    ['of an unsupported type', `Content-Type: text/plain\r\n${announced}`],
    ['with only the length sent', `${formType}Content-Length: ${2 ** 40}\r\n`],
  ])('%s: rejected before the body is read', async (_name, headers) => {
    expect(await respondTo(bytesOf(framed(headers)))).toEqual({ status: 413, code: 1001 })
  })

  test('in chunks: rejected as soon as the limit is exceeded', async () => {
    const tooMuch = bytesAfter(framed(chunked, 'a00000\r\n'), large.subarray(0, 128 * 1024 + 1))
    expect(await respondTo(tooMuch)).toEqual({ status: 413, code: 1001 })
  })

  test('a body at the limit is read, and one byte more is rejected', async () => {
    const head = `POST /api/hooks HTTP/1.1\r\n${closeHeaders}${formType}`
    const atLimit = bytesAfter(`${head}Content-Length: 131072\r\n\r\n`, large.subarray(0, 131_072))
    const above = bytesAfter(`${head}Content-Length: 131073\r\n\r\n`, large.subarray(0, 131_073))
    expect(await respondTo(atLimit)).toEqual({ status: 400, code: 1010 })
    expect(await respondTo(above)).toEqual({ status: 413, code: 1001 })
  })

  // A client that keeps sending may be disconnected before it reads the response, but never gets another response.
  test.each([
    ['form', `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}${announced}\r\n`, 413],
    ['JSON', `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${jsonType}${announced}\r\n`, 413],
    ['in chunks', `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${chunked}\r\na00000\r\n`, 413],
    [
      'with an unsupported method',
      `PUT /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}${announced}\r\n`,
      413,
    ],
    ['without a key', `POST /api/hooks HTTP/1.1\r\nHost: a\r\n${formType}${announced}\r\n`, 413],
    ['to nowhere', `POST /nowhere HTTP/1.1\r\n${keepAliveHeaders}${formType}${announced}\r\n`, 413],
    [
      'longer than announced',
      `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}Content-Length: 10\r\n\r\n`,
      400,
    ],
    ['as one header', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}X-A: `, 400],
    ['as a request target', 'GET /', 400],
    ['without a request line', '', 400],
  ])('%s: sent in full', async (_name, head, status) => {
    const received = await rawRequest(hookline.url, bytesAfter(head, large))
    expectNoInternals(received)
    expect([[], [status], [status, 400]]).toContainEqual(
      splitResponses(received).map((response) => response.status),
    )
  })

  test('a GET with such a body and the next request get responses', async () => {
    const next = bytesOf(request('GET /api/hooks'))
    const received = await rawRequest(
      hookline.url,
      bytesAfter(`GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${announced}\r\n`, large, next),
      { idleMs: maxResponseGapMs },
    )
    expect(splitResponses(received).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('slow senders', () => {
  const whole = request('POST /api/hooks', formType, `${validForm}&x=${'a'.repeat(1_000)}`)
  const headEnd = whole.indexOf('\r\n\r\n') + 4

  // The timeouts are 5 s for headers and 10 s for the whole request, checked every second. The limits below leave room
  // for a busy machine: headers must time out before a whole request, and no body would end within a minute.
  test.each([
    ['that dribble their headers', whole, 0, 10_000],
    ['that say nothing', '', 0, 10_000],
    ['that stop before the end of the headers', whole.slice(0, headEnd - 2), headEnd - 2, 10_000],
    ['that dribble their body', whole, headEnd, 25_000],
    ['that dribble chunks', framed(chunked, '1\r\na\r\n'.repeat(1_000)), framed(chunked).length, 25_000],
    ['that stop before the end of the body', whole.slice(0, -1), whole.length - 1, 25_000],
  ])('senders %s get 408', { concurrent: true, timeout: 60_000 }, async (_name, text, atOnce, maxMs) => {
    const started = performance.now()
    const received = await slowRequest(bytesOf(text), atOnce + key.length - 'KEY'.length)
    const durationMs = performance.now() - started
    const responses = splitResponses(received).map(({ status, body }) => [status, JSON.parse(body).code])
    expect(responses).toEqual([[408, 1003]])
    expect(durationMs).toBeGreaterThan(4_000)
    expect(durationMs).toBeLessThan(maxMs)
  })

  test('300 slow senders do not delay other clients', { concurrent: true, timeout: 60_000 }, async () => {
    const slow = Array.from({ length: 300 }, () => slowRequest(bytesOf(whole), 0))
    const timedOut = new AbortController()
    for (const sender of slow) void sender.then(() => timedOut.abort())
    let respondedMeanwhile = 0
    while (!timedOut.signal.aborted) {
      expect((await call(hooks, { key })).status).toBe(200)
      if (!timedOut.signal.aborted) respondedMeanwhile++
      await sleep(100)
    }
    expect(respondedMeanwhile).toBeGreaterThan(5)
    const responses = await Promise.all(slow)
    expect(new Set(responses.map((response) => splitResponses(response)[0]?.status))).toEqual(new Set([408]))
  })
})

const formFor = (path: string): string => `target_url=https://example.com/${path}&event_type=sms_mo`

describe('client disconnects', () => {
  const long = (path: string): string =>
    `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${formType}Content-Length: 5000\r\n\r\n${formFor(path)}`

  test.each([
    ['before a byte', ''],
    ['in the request line', 'GET /api/ho'],
    ['in the headers', `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}`],
    ['in the body', long('cut-body')],
    [
      'in the chunks',
      `POST /api/hooks HTTP/1.1\r\n${keepAliveHeaders}${chunked}\r\n${formFor('cut-chunks').length.toString(16)}\r\n${formFor('cut-chunks')}\r\n`,
    ],
    ['before the response', `GET /api/hooks HTTP/1.1\r\n${keepAliveHeaders}\r\n`.repeat(3)],
  ])('40 disconnects %s, by close or reset, are handled', async (_name, text) => {
    await Promise.all(Array.from({ length: 20 }, () => disconnect(bytesOf(text), 'end')))
    await Promise.all(Array.from({ length: 20 }, () => disconnect(bytesOf(text), 'reset')))
  })

  test('an incomplete request changes nothing', async () => {
    await disconnect(bytesOf(long('cut-short')), 'end')
    await sleep(200)
    const listed: string[] = (await call(hooks, { key })).json.hooks.map(
      (hook: { target_url: string }) => hook.target_url,
    )
    expect(listed.filter((address) => address.includes('/cut-'))).toEqual([])
  })
})

test('no request caused an internal error, and no key was logged', () => {
  const lines = hookline.service.output().trim().split('\n')
  expect(lines.length).toBeGreaterThan(500)
  expect(lines.filter((line) => JSON.parse(line).level !== 'info')).toEqual([])
  expect(lines.filter((line) => line.includes(key))).toEqual([])
  expect(hookline.service.child.exitCode).toBeNull()
})
