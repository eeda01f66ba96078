/**
 * Hostile requests by families, over real sockets against a started process. Each has its verdict: a status and a code
 * (`null`: it is fine). None is a fault of ours, none shows our insides, and after each the service answers as before.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { call } from './call.ts'
import { rawRequest, splitAnswers } from './raw-socket.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let hooks: string
let key: string

beforeAll(async () => {
  // Every hostile call is followed by a normal one: more than an account may make in a minute by default.
  world = await startWorld({ CALLS_PER_MINUTE: '100000' })
  hooks = `${world.url}/api/hooks`
  key = (await world.account()).key
})
afterAll(() => world.close())

afterEach(async () => {
  const normal = await call(hooks, { key })
  expect(normal.status).toBe(200)
  expect(normal.json.success).toBe(true)
})

// Requests are written as text in which every character is one byte, with KEY where the API key goes.

const keep = 'Host: localhost\r\nX-Api-Key: KEY\r\n'
const close = `${keep}Connection: close\r\n`
const formType = 'Content-Type: application/x-www-form-urlencoded\r\n'
const jsonType = 'Content-Type: application/json\r\n'
const validForm = 'target_url=https://example.com/hostile&event_type=sms_mo'
const validJson = '"target_url":"https://example.com/hostile","event_type":"sms_mo"'

type Case = readonly [name: string, request: string, status: number, code: number | null]

function request(line: string, headers = '', body = ''): string {
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
  return `${line} HTTP/1.1\r\n${close}${headers}${length}\r\n${body}`
}

const query = (params: string): string => request(`POST /api/hooks?${params}`)
const form = (params: string): string => request('POST /api/hooks', formType, params)
const json = (text: string): string => request('POST /api/hooks', jsonType, text)

/** The UTF-8 bytes of a text, one character each. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('KEY', key), 'latin1')
}

function bytesAfter(text: string, ...more: Buffer[]): Buffer {
  return Buffer.concat([bytesOf(text), ...more])
}

async function verdict(bytes: Buffer): Promise<{ status: number; code: number | null }> {
  const received = await rawRequest(world.url, bytes)
  showsNoInsides(received)
  const answers = splitAnswers(received)
  expect(answers).toHaveLength(1)
  const { status, headers, body } = answers[0] ?? { status: 0, headers: '', body: '' }
  expect(headers).toMatch(/^content-type: application\/json; charset=utf-8$/im)
  const envelope = JSON.parse(body)
  if (envelope.code !== null)
    expect(envelope).toEqual({ success: false, code: envelope.code, error_message: expect.any(String) })
  return { status, code: envelope.code }
}

/** How long one answer may take after another on the same connection. */
const betweenAnswersMs = 3_000

/** The first bytes at once, then one every 100 ms. */
async function slowRequest(bytes: Buffer, atOnce: number): Promise<string> {
  return rawRequest(world.url, bytes, { firstByteMs: 30_000, dribble: { bytes: 1, everyMs: 100, atOnce } })
}

async function hangUp(bytes: Buffer, how: 'end' | 'reset'): Promise<void> {
  const { hostname, port } = new URL(world.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.write(bytes, resolve))
  if (how === 'end') socket.destroy()
  else socket.resetAndDestroy()
  await closed
}

async function statuses(text: string): Promise<number[]> {
  const received = await rawRequest(world.url, bytesOf(text), { idleMs: betweenAnswersMs })
  showsNoInsides(received)
  return splitAnswers(received).map(({ status }) => status)
}

function showsNoInsides(received: string): void {
  expect(received).not.toMatch(/^ +at |node_modules|node:internal|\.ts\b|FST_ERR|HPE_|SELECT |INSERT /m)
}

function family(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    test.each(cases)('%s', async (_name, text, status, code) => {
      expect(await verdict(bytesOf(text))).toEqual({ status, code })
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
  ['JSON that is only white space', json(' \n'), 400, 1000],
  ['two JSON values', json(`{${validJson}}{}`), 400, 1000],
  ['JSON with a comment', json(`{${validJson}/* */}`), 400, 1000],
  ['JSON with a comma too many', json(`{${validJson},}`), 400, 1000],
  ['NaN in JSON', json('{"id":NaN}'), 400, 1000],
  ['an empty object', json('{}'), 400, 1010],
  ['an address in a list', json('{"target_url":["https://example.com/"],"event_type":"dlr"}'), 400, 1012],
  ['an empty list as address', json('{"target_url":[],"event_type":"dlr"}'), 400, 1012],
  ['an object as address', json('{"target_url":{"href":"https://example.com/"}}'), 400, 1012],
  ['a number as address', json('{"target_url":5,"event_type":"dlr"}'), 400, 1020],
  ['a list as type', json('{"target_url":"https://example.com/","event_type":["dlr"]}'), 400, 1012],
  ['a number as type', json('{"target_url":"https://example.com/","event_type":1}'), 400, 1012],
  ['a query operator as filter', json(`{${validJson},"event_filter":{"$ne":null}}`), 400, 1012],
  // Read as the text "false" it would be a filter that never matches: the hook would stay silent for ever.
  ['false as filter', json(`{${validJson},"event_filter":false}`), 400, 1012],
  ['an object as method', json(`{${validJson},"request_method":{}}`), 400, 1012],
  ['headers as a list', json(`{${validJson},"headers":["X-A: 1"]}`), 400, 1012],
  ['headers as an object', json(`{${validJson},"headers":{"X-A":"1"}}`), 400, 1012],
  ['an action in a list', json(`{${validJson},"action":["subscribe"]}`), 400, 1012],
  ['a query operator as key', json(`{${validJson},"p":{"$gt":""}}`), 400, 1012],
  ['a list as login', json(`{${validJson},"u":[]}`), 400, 1012],
  [
    'names of no parameter with any type',
    json(`{${validJson},"a":[],"b":{},"c":false,"d":1e400}`),
    200,
    null,
  ],
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
    'objects nested 15,000 deep as no parameter',
    json(`{${validJson},"x":${'{"id":'.repeat(15_000)}1${'}'.repeat(15_000)}}`),
    200,
    null,
  ],
  ['a form name that ends in []', form('target_url[]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a form name with an index', form('target_url[0]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a form name with a member', form('target_url[href]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a query name that ends in []', query('target_url[]=https://example.com/&event_type=dlr'), 400, 1010],
  ['a name without a value', form('target_url&event_type'), 400, 1010],
  ['a form of nothing but separators', form('&'.repeat(100_000)), 400, 1000],
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
  ['with one value in the query', query(`${validForm}&event_type=sms_mo`), 200, null],
  ['with one value in the form', form(`${validForm}&${validForm}`), 200, null],
  ['with one value in JSON', json(`{${validJson},"event_type":"sms_mo"}`), 200, null],
  [
    'with one value in query and JSON',
    request(`POST /api/hooks?${validForm}`, jsonType, `{${validJson}}`),
    200,
    null,
  ],
  ['two keys', request('GET /api/hooks?p=KEY&p=hlk_other'), 400, 1011],
  ['two keys in query and form', request('POST /api/hooks?p=KEY', formType, 'p=other'), 400, 1011],
  ['two actions', form('action=subscribe&action=unsubscribe&id=1'), 400, 1011],
  ['two ids', request('DELETE /api/hooks?id=2147483647', formType, 'id=2147483646'), 400, 1011],
  [
    'the same id as text and as number',
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
  ['a name that is no parameter, a hundred times', form(`${validForm}${'&x=1&x=2'.repeat(50)}`), 200, null],
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
  // The old dialect decodes its failures from a 200.
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
  ['a sequence cut short', '\xe2\x82'],
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
  // Bytes above 127 have no meaning in an address line: which encoding they are in would be a guess.
  ['UTF-8, raw in a query', query(`${validForm}&event_filter=${utf8('ü')}`), 400, 1000],
  ['a percent sign alone', form(`${validForm}&event_filter=%`), 400, 1000],
  ['a percent sign before no digits', form(`${validForm}&event_filter=%zz`), 400, 1000],
  ['%u escapes', form(`${validForm}&event_filter=%u0041`), 400, 1000],
  ['a lone surrogate in JSON', json(`{${validJson},"event_filter":"\\ud800"}`), 400, 1012],
  ['surrogates the wrong way round', json(`{${validJson},"event_filter":"\\udc00\\ud800"}`), 400, 1012],
  ['a lone surrogate as a name in JSON', json(`{${validJson},"\\ud800":1}`), 200, null],
  ['a byte order mark before JSON', json(utf8(`\ufeff{${validJson}}`)), 400, 1000],
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
      // Of an address, clients expect to hear the same as of any malformed one.
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
  ['in a name of no parameter', form(`${validForm}&x%00=1`), 200, null],
  ['as the value of no parameter', json(`{${validJson},"x":"\\u0000"}`), 200, null],
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
  ['a space before it in JSON', request('DELETE /api/hooks', jsonType, '{"id":" 1"}'), 400, 1012],
  ['a full-width digit in JSON', request('DELETE /api/hooks', jsonType, `{"id":"${utf8('１')}"}`), 400, 1012],
  ['hexadecimal in JSON', request('DELETE /api/hooks', jsonType, '{"id":0x10}'), 400, 1000],
  ['minus zero in JSON', request('DELETE /api/hooks', jsonType, '{"id":-0}'), 400, 1012],
  ['true in JSON', request('DELETE /api/hooks', jsonType, '{"id":true}'), 400, 1012],
  ['a list in JSON', request('DELETE /api/hooks', jsonType, '{"id":[1]}'), 400, 1012],
  ['an operator in JSON', request('DELETE /api/hooks', jsonType, '{"id":{"$gt":0}}'), 400, 1012],
  ['null in JSON', request('DELETE /api/hooks', jsonType, '{"id":null}'), 400, 1010],
])

const typed = (headers: string, body = validForm): string => request('POST /api/hooks', headers, body)
const gzipped = gzipSync(validForm).toString('latin1')

family('content types', [
  ['none', typed(''), 200, null],
  ['an empty one', typed('Content-Type:\r\n'), 415, 1002],
  ['multipart', typed('Content-Type: multipart/form-data; boundary=x\r\n', '--x\r\n\r\n--x--'), 415, 1002],
  ['multipart without boundary', typed('Content-Type: multipart/form-data\r\n'), 415, 1002],
  ['plain text', typed('Content-Type: text/plain\r\n', `{${validJson}}`), 415, 1002],
  [
    'XML',
    typed('Content-Type: application/xml\r\n', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'),
    415,
    1002,
  ],
  ['bytes', typed('Content-Type: application/octet-stream\r\n'), 415, 1002],
  ['JSON of a vendor', typed('Content-Type: application/vnd.api+json\r\n', `{${validJson}}`), 415, 1002],
  [
    'JSON in UTF-16',
    typed('Content-Type: application/json; charset=utf-16\r\n', `{${validJson}}`),
    415,
    1002,
  ],
  [
    'a form in Latin-1',
    typed('Content-Type: application/x-www-form-urlencoded; charset=iso-8859-1\r\n'),
    415,
    1002,
  ],
  [
    'two character sets',
    typed('Content-Type: application/json; charset=utf-8; charset=utf-16\r\n', `{${validJson}}`),
    415,
    1002,
  ],
  [
    'UTF-8 in quotes and capitals',
    typed('Content-Type: application/json; Charset="UTF-8"\r\n', `{${validJson}}`),
    200,
    null,
  ],
  ['capitals', typed('CONTENT-TYPE: APPLICATION/X-WWW-FORM-URLENCODED\r\n'), 200, null],
  [
    'an unknown attribute',
    typed('Content-Type: application/json; version=2\r\n', `{${validJson}}`),
    200,
    null,
  ],
  ['half of one', typed('Content-Type: application\r\n'), 415, 1002],
  ['a slash', typed('Content-Type: /\r\n'), 415, 1002],
  ['semicolons', typed('Content-Type: ;;;\r\n'), 415, 1002],
  ['three parts', typed('Content-Type: application/json/x\r\n', `{${validJson}}`), 415, 1002],
  ['a wildcard', typed('Content-Type: */*\r\n'), 415, 1002],
  ['__proto__', typed('Content-Type: __proto__\r\n'), 415, 1002],
  ['a list', typed('Content-Type: application/x-www-form-urlencoded, application/json\r\n'), 415, 1002],
  // A proxy that reads the other one would see other parameters than we do.
  ['form, then JSON', typed(`${formType}${jsonType}`), 415, 1002],
  ['JSON, then form', typed(`${jsonType}${formType}`, `{${validJson}}`), 415, 1002],
  [
    'one of 8,000 bytes',
    typed(`Content-Type: application/json;${' '.repeat(8_000)}a=b\r\n`, `{${validJson}}`),
    200,
    null,
  ],
  ['a form called JSON', typed(jsonType), 400, 1000],
  ['JSON called a form', typed(formType, `{${validJson}}`), 400, 1010],
  ['JSON without a body', request('DELETE /api/hooks?id=2147483647', jsonType), 404, 1100],
  [
    'a strange one without a body',
    request('DELETE /api/hooks?id=2147483647', 'Content-Type: image/png\r\n'),
    404,
    1100,
  ],
  // RFC 9110 15.5.16: a coding that is not undone is refused, not read as if it were none.
  ['a compressed body', typed(`${formType}Content-Encoding: gzip\r\n`, gzipped), 415, 1002],
  ['a body only called compressed', typed(`${formType}Content-Encoding: gzip\r\n`), 415, 1002],
  ['an unknown content coding', typed(`${formType}Content-Encoding: x-rot13\r\n`), 415, 1002],
  ['the coding "identity"', typed(`${formType}Content-Encoding: identity\r\n`), 200, null],
])

const chunked = `${formType}Transfer-Encoding: chunked\r\n`
const inChunks = `${validForm.length.toString(16)}\r\n${validForm}\r\n0\r\n\r\n`
/** A request hidden behind the first: if it is ever answered, there are two answers. */
const smuggled = `GET /api/hooks HTTP/1.1\r\n${keep}\r\n`

/** On a connection that would stay open. */
const framed = (headers: string, rest = ''): string =>
  `POST /api/hooks HTTP/1.1\r\n${keep}${headers}\r\n${rest}`

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
  // Chunks are undone, compression is not: read as it stands, the body would be another than the sender's.
  ['gzip, then chunked', framed(`${formType}Transfer-Encoding: gzip, chunked\r\n`, inChunks), 400, 1000],
  ['a chunk size that is no number', framed(chunked, 'zz\r\n\r\n'), 400, 1000],
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
  ['a first header that starts with a space', `GET /api/hooks HTTP/1.1\r\n X-A: b\r\n${keep}\r\n`, 400, 1000],
  ['bare LFs', 'GET /api/hooks HTTP/1.1\nHost: localhost\nX-Api-Key: KEY\n\n', 400, 1000],
  ['one bare LF', `GET /api/hooks HTTP/1.1\r\n${keep}X-A: b\nX-B: c\r\n\r\n`, 400, 1000],
  ['a bare LF at the end', `GET /api/hooks HTTP/1.1\r\n${keep}\n`, 400, 1000],
  ['a bare CR', `GET /api/hooks HTTP/1.1\r\n${keep}X-A: b\rX-B: c\r\n\r\n`, 400, 1000],
  ['a space before a colon', `GET /api/hooks HTTP/1.1\r\n${keep}X-A : b\r\n\r\n`, 400, 1000],
  ['a space before the colon of the length', framed('Content-Length : 5\r\n', `aaaaa${smuggled}`), 400, 1000],
  [
    'a tab before the colon of the coding',
    framed(`${formType}Transfer-Encoding\t: chunked\r\n`, inChunks),
    400,
    1000,
  ],
  ['a header without a name', `GET /api/hooks HTTP/1.1\r\n${keep}: b\r\n\r\n`, 400, 1000],
  ['a header without a colon', `GET /api/hooks HTTP/1.1\r\n${keep}abc\r\n\r\n`, 400, 1000],
  ['a header name in brackets', `GET /api/hooks HTTP/1.1\r\n${keep}(a): b\r\n\r\n`, 400, 1000],
  ['a header of 20,000 bytes', request('GET /api/hooks', `X-A: ${'a'.repeat(20_000)}\r\n`), 400, 1000],
  ['5,000 headers', request('GET /api/hooks', 'X-A: b\r\n'.repeat(5_000)), 400, 1000],
  // RFC 9112 3.2: none, and more than one, must be answered with 400.
  ['no host', 'GET /api/hooks HTTP/1.1\r\nX-Api-Key: KEY\r\nConnection: close\r\n\r\n', 400, 1000],
  ['two hosts', request('GET /api/hooks', 'Host: other.example\r\n'), 400, 1000],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 1000],
  ['HTTP/1.2', `GET /api/hooks HTTP/1.2\r\n${keep}\r\n`, 400, 1000],
  ['another protocol', `GET /api/hooks ICE/1.0\r\n${keep}\r\n`, 400, 1000],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 1000],
  ['words', 'please list my webhooks\r\n\r\n', 400, 1000],
])

family('framing that is fine', [
  ['chunks', request('POST /api/hooks', chunked).concat(inChunks), 200, null],
  [
    'chunks in capitals',
    request('POST /api/hooks', `${formType}Transfer-Encoding: CHUNKED\r\n`).concat(inChunks),
    200,
    null,
  ],
  [
    'one byte a chunk',
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
    'an upgrade nobody offers',
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
  ['a method nobody knows', request('FOO /api/hooks'), 400, 1000],
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
  // The same path by RFC 3986 6.2.2.2, so the same answer.
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
  ['a bad name of no parameter', request('GET /api/hooks?%zz=1'), 400, 1000],
  ['a path of 10,000 bytes', request(`GET /api/${'a'.repeat(10_000)}`), 404, 1110],
  ['a path of 2,000 parts', request(`GET /api${'/a'.repeat(2_000)}`), 404, 1110],
  ['a query of 10,000 bytes', request(`GET /api/hooks?x=${'a'.repeat(10_000)}`), 200, null],
  ['an address of 20,000 bytes', request(`GET /api/hooks?x=${'a'.repeat(20_000)}`), 400, 1000],
  ['an address of 1,000,000 bytes', request(`GET /api/hooks?x=${'a'.repeat(1_000_000)}`), 400, 1000],
])

test('a method that a path does not have is answered with those it has', async () => {
  const received = await rawRequest(world.url, bytesOf(request('PUT /api/hooks')))
  expect(received).toMatch(/^allow: GET, POST, DELETE\r$/im)
})

test('CONNECT opens no way through', async () => {
  const tunnel = `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${keep}\r\n${smuggled}`
  expect(await rawRequest(world.url, bytesOf(tunnel))).toBe('')
})

test('an expectation we do not know is refused, one we know is met', async () => {
  const unknown = await rawRequest(world.url, bytesOf(request('GET /api/hooks', 'Expect: magic\r\n')))
  expect(splitAnswers(unknown).map(({ status }) => status)).toEqual([417])
  const known = await rawRequest(world.url, bytesOf(typed(`${formType}Expect: 100-continue\r\n`)))
  expect(splitAnswers(known).map(({ status }) => status)).toEqual([100, 200])
})

describe('requests in a row on one connection', () => {
  const one = {
    list: `GET /api/hooks HTTP/1.1\r\n${keep}\r\n`,
    nowhere: `GET /api/nowhere HTTP/1.1\r\n${keep}\r\n`,
    create: `POST /api/hooks HTTP/1.1\r\n${keep}${formType}Content-Length: ${validForm.length}\r\n\r\n${validForm}`,
    conflict: `POST /api/hooks HTTP/1.1\r\n${keep}${formType}Content-Length: 9\r\n\r\nid=1&id=2`,
    put: `PUT /api/hooks HTTP/1.1\r\n${keep}${chunked}\r\n${inChunks}`,
  }

  test('are each answered once, in order', async () => {
    const fiveTimes = `${one.list}${one.nowhere}${one.create}${one.conflict}${one.put}`.repeat(5)
    const answers = [200, 404, 200, 400, 405]
    expect(await statuses(fiveTimes)).toEqual([...answers, ...answers, ...answers, ...answers, ...answers])
  })

  test('whose body looks like a request are answered once', async () => {
    const body = `x=${smuggled}${smuggled}`.replaceAll('KEY', key)
    const text = `POST /api/hooks HTTP/1.1\r\n${keep}${formType}Content-Length: ${body.length}\r\n\r\n${body}`
    expect(await statuses(text)).toEqual([400])
  })

  test('stop after one that asks to close, which is answered', async () => {
    expect(await statuses(`${request('GET /api/hooks')}${one.list}`)).toEqual([200])
  })

  test('followed by garbage keep their own answer', async () => {
    const [first] = await statuses(`${one.create}garbage\r\n\r\n`)
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
    ['of a type that is refused anyway', `Content-Type: text/plain\r\n${announced}`],
    ['of which only the length is sent', `${formType}Content-Length: ${2 ** 40}\r\n`],
  ])('%s: refused before they are read', async (_name, headers) => {
    expect(await verdict(bytesOf(framed(headers)))).toEqual({ status: 413, code: 1001 })
  })

  test('in chunks: refused as soon as they are too large', async () => {
    const tooMuch = bytesAfter(framed(chunked, 'a00000\r\n'), large.subarray(0, 128 * 1024 + 1))
    expect(await verdict(tooMuch)).toEqual({ status: 413, code: 1001 })
  })

  test('a body of just the limit is read, one byte more is not', async () => {
    const head = `POST /api/hooks HTTP/1.1\r\n${close}${formType}`
    const atLimit = bytesAfter(`${head}Content-Length: 131072\r\n\r\n`, large.subarray(0, 131_072))
    const above = bytesAfter(`${head}Content-Length: 131073\r\n\r\n`, large.subarray(0, 131_073))
    expect(await verdict(atLimit)).toEqual({ status: 400, code: 1010 })
    expect(await verdict(above)).toEqual({ status: 413, code: 1001 })
  })

  // Whoever goes on sending may find the line cut before reading the verdict; it is never another verdict.
  test.each([
    ['form', `POST /api/hooks HTTP/1.1\r\n${keep}${formType}${announced}\r\n`, 413],
    ['JSON', `POST /api/hooks HTTP/1.1\r\n${keep}${jsonType}${announced}\r\n`, 413],
    ['in chunks', `POST /api/hooks HTTP/1.1\r\n${keep}${chunked}\r\na00000\r\n`, 413],
    ['with a method we do not have', `PUT /api/hooks HTTP/1.1\r\n${keep}${formType}${announced}\r\n`, 413],
    ['without a key', `POST /api/hooks HTTP/1.1\r\nHost: a\r\n${formType}${announced}\r\n`, 413],
    ['to nowhere', `POST /nowhere HTTP/1.1\r\n${keep}${formType}${announced}\r\n`, 413],
    [
      'longer than announced',
      `POST /api/hooks HTTP/1.1\r\n${keep}${formType}Content-Length: 10\r\n\r\n`,
      400,
    ],
    ['as one header', `GET /api/hooks HTTP/1.1\r\n${keep}X-A: `, 400],
    ['as an address', 'GET /', 400],
    ['as nothing at all', '', 400],
  ])('%s: sent in full', async (_name, head, status) => {
    const received = await rawRequest(world.url, bytesAfter(head, large))
    showsNoInsides(received)
    expect([[], [status], [status, 400]]).toContainEqual(
      splitAnswers(received).map((answer) => answer.status),
    )
  })

  test('a GET with one is answered, and so is the next request behind it', async () => {
    const next = bytesOf(request('GET /api/hooks'))
    const received = await rawRequest(
      world.url,
      bytesAfter(`GET /api/hooks HTTP/1.1\r\n${keep}${announced}\r\n`, large, next),
      { idleMs: betweenAnswersMs },
    )
    expect(splitAnswers(received).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('slow senders', () => {
  const whole = request('POST /api/hooks', formType, `${validForm}&x=${'a'.repeat(1_000)}`)
  const headEnd = whole.indexOf('\r\n\r\n') + 4

  // Headers have 5 s and the whole request 10; whether they are over is looked at every second. The rest is for a busy
  // machine: headers must be cut off before a whole request would be, and no body would end by itself within a minute.
  test.each([
    ['that dribble their headers', whole, 0, 10_000],
    ['that say nothing', '', 0, 10_000],
    ['that stop before the end of the headers', whole.slice(0, headEnd - 2), headEnd - 2, 10_000],
    ['that dribble their body', whole, headEnd, 25_000],
    ['that dribble chunks', framed(chunked, '1\r\na\r\n'.repeat(1_000)), framed(chunked).length, 25_000],
    ['that stop before the end of the body', whole.slice(0, -1), whole.length - 1, 25_000],
  ])(
    '%s are cut off with 408',
    { concurrent: true, timeout: 60_000 },
    async (_name, text, atOnce, atMostMs) => {
      const started = performance.now()
      const received = await slowRequest(bytesOf(text), atOnce + key.length - 'KEY'.length)
      const tookMs = performance.now() - started
      const answers = splitAnswers(received).map(({ status, body }) => [status, JSON.parse(body).code])
      expect(answers).toEqual([[408, 1003]])
      expect(tookMs).toBeGreaterThan(4_000)
      expect(tookMs).toBeLessThan(atMostMs)
    },
  )

  test('do not hold up anybody else, even 300 of them', { concurrent: true, timeout: 60_000 }, async () => {
    const slow = Array.from({ length: 300 }, () => slowRequest(bytesOf(whole), 0))
    const cutOff = new AbortController()
    for (const one of slow) void one.then(() => cutOff.abort())
    let answeredMeanwhile = 0
    while (!cutOff.signal.aborted) {
      expect((await call(hooks, { key })).status).toBe(200)
      if (!cutOff.signal.aborted) answeredMeanwhile++
      await sleep(100)
    }
    expect(answeredMeanwhile).toBeGreaterThan(5)
    const answers = await Promise.all(slow)
    expect(new Set(answers.map((answer) => splitAnswers(answer)[0]?.status))).toEqual(new Set([408]))
  })
})

const marked = (path: string): string => `target_url=https://example.com/${path}&event_type=sms_mo`

describe('clients that hang up', () => {
  const long = (path: string): string =>
    `POST /api/hooks HTTP/1.1\r\n${keep}${formType}Content-Length: 5000\r\n\r\n${marked(path)}`

  test.each([
    ['before a byte', ''],
    ['in the request line', 'GET /api/ho'],
    ['in the headers', `POST /api/hooks HTTP/1.1\r\n${keep}`],
    ['in the body', long('cut-body')],
    [
      'in the chunks',
      `POST /api/hooks HTTP/1.1\r\n${keep}${chunked}\r\n${marked('cut-chunks').length.toString(16)}\r\n${marked('cut-chunks')}\r\n`,
    ],
    ['before the answer', `GET /api/hooks HTTP/1.1\r\n${keep}\r\n`.repeat(3)],
  ])('%s, politely or by reset, forty times', async (_name, text) => {
    await Promise.all(Array.from({ length: 20 }, () => hangUp(bytesOf(text), 'end')))
    await Promise.all(Array.from({ length: 20 }, () => hangUp(bytesOf(text), 'reset')))
  })

  test('change nothing by a request that did not arrive completely', async () => {
    await hangUp(bytesOf(long('cut-short')), 'end')
    await sleep(200)
    const listed: string[] = (await call(hooks, { key })).json.hooks.map(
      (hook: { target_url: string }) => hook.target_url,
    )
    expect(listed.filter((address) => address.includes('/cut-'))).toEqual([])
  })
})

test('none of all this was a fault of ours, and no key got into the log', () => {
  const lines = world.service.output().trim().split('\n')
  expect(lines.length).toBeGreaterThan(500)
  expect(lines.filter((line) => JSON.parse(line).level !== 'info')).toEqual([])
  expect(lines.filter((line) => line.includes(key))).toEqual([])
  expect(world.service.child.exitCode).toBeNull()
})
