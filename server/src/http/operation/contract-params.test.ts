/** Tests that parameters read the same from query, form and JSON, and that only an ApiError is thrown. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../model/errors.ts'
import { readParams } from './contract-params.ts'

const names = [
  'action',
  'id',
  'target_url',
  'event_type',
  'event_filter',
  'request_method',
  'headers',
  'u',
  'p',
] as const

type Pair = readonly [name: string, value: string]
type BodyKind = 'form' | 'json'

const formType = 'application/x-www-form-urlencoded'
const jsonType = 'application/json'

const anyText = fc.string({ unit: 'binary', maxLength: 20 })
const trickyText = fc.constantFrom(
  '"',
  '\\',
  '{"id":1}',
  '"id":2,',
  '[[',
  '}}',
  '%',
  '%00',
  '+',
  '&id=3',
  '=',
  ' ',
  '0',
  'NULL',
  'undefined',
  '__proto__',
  'ﬁ',
  '\u2028',
  '😀',
)
/** Values that a parameter can have: without NUL, and not a value that means "not set". */
const value = fc
  .oneof(anyText, trickyText)
  .filter((text) => text !== '' && text !== 'null' && !text.includes('\0'))
const name = fc.constantFrom(...names)
const otherName = fc
  .oneof(
    anyText,
    trickyText,
    fc.constantFrom('', 'ID', 'id[]', 'Target_Url', ' p', 'toString', 'constructor'),
  )
  .filter((text) => !names.some((paramName) => paramName === text))
/** Without headers in the form of a JSON object, which are converted. */
const assignment = fc
  .dictionary(name, value, { noNullPrototype: true })
  .filter(({ headers = '' }) => !headers.trimStart().startsWith('{'))

function formText(pairs: readonly Pair[]): string {
  return pairs.map(([left, right]) => `${encodeURIComponent(left)}=${encodeURIComponent(right)}`).join('&')
}

/** Returns JSON text rather than an object, because names can repeat. */
function jsonText(pairs: readonly Pair[]): string {
  return `{${pairs.map(([left, right]) => `${JSON.stringify(left)}:${JSON.stringify(right)}`).join(',')}}`
}

function read(query: readonly Pair[], kind: BodyKind, body: readonly Pair[]): Record<string, string> {
  const contentType = kind === 'form' ? formType : jsonType
  const text = kind === 'form' ? formText(body) : jsonText(body)
  return { ...readParams({ query: formText(query), contentType, body: Buffer.from(text) }) }
}

function readJson(text: string): Record<string, string> {
  return { ...readParams({ query: '', contentType: jsonType, body: Buffer.from(text) }) }
}

function errorCodeOf(action: () => unknown): number | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code
  }
}

describe('parameters read the same', () => {
  /** Puts each pair into the query, the body or both, in random order. */
  const spread = assignment.chain((input) => {
    const pairs = Object.entries(input)
    return fc
      .record({ inQuery: fc.shuffledSubarray(pairs), inBody: fc.shuffledSubarray(pairs) })
      .map(({ inQuery, inBody }) => {
        const elsewhere = pairs.filter((pair) => !inQuery.includes(pair) && !inBody.includes(pair))
        return { input, inQuery, inBody: [...inBody, ...elsewhere] }
      })
  })

  test('from any source, in any order', () => {
    fc.assert(
      fc.property(spread, fc.constantFrom<BodyKind>('form', 'json'), ({ input, inQuery, inBody }, kind) => {
        expect(read(inQuery, kind, inBody)).toEqual(input)
      }),
    )
  })

  test('if the query and the form repeat them', () => {
    fc.assert(
      fc.property(assignment, fc.integer({ min: 1, max: 4 }), (input, times) => {
        const repeated = Array.from({ length: times }, () => Object.entries(input)).flat()
        expect(read(repeated, 'form', repeated)).toEqual(input)
      }),
    )
  })

  test('if JSON text repeats them', () => {
    fc.assert(
      fc.property(assignment, (input) => {
        const pairs = Object.entries(input)
        expect(read([], 'json', [...pairs, ...pairs])).toEqual(input)
      }),
    )
  })

  test('among unknown names, which can repeat and differ', () => {
    const noise = fc.array(fc.tuple(otherName, anyText))
    fc.assert(
      fc.property(assignment, noise, noise, noise, (input, before, after, inQuery) => {
        const pairs = [...before, ...Object.entries(input), ...after]
        expect(read(inQuery, 'form', pairs)).toEqual(input)
        expect(read(inQuery, 'json', pairs)).toEqual(input)
        expect(read(pairs, 'json', inQuery)).toEqual(input)
      }),
    )
  })

  test('among empty values and nulls, which mean "not set"', () => {
    const unset = fc.array(fc.tuple(name, fc.constantFrom('', 'null')))
    fc.assert(
      fc.property(assignment, unset, unset, (input, before, after) => {
        const pairs = [...before, ...Object.entries(input), ...after]
        expect(read(pairs, 'form', pairs)).toEqual(input)
      }),
    )
  })

  test('with plus or %20 for a space, and with percent-encoded letters', () => {
    fc.assert(
      fc.property(assignment, (input) => {
        const encoded = Object.entries(input).map(([left, right]) => `${percent(left)}=${percent(right)}`)
        const plus = Object.entries(input).map(
          ([left, right]) => `${left}=${encodeURIComponent(right).replaceAll('%20', '+')}`,
        )
        const noBody = { contentType: undefined, body: undefined }
        expect({ ...readParams({ query: encoded.join('&'), ...noBody }) }).toEqual(input)
        expect({ ...readParams({ query: plus.join('&'), ...noBody }) }).toEqual(input)
      }),
    )
  })
})

describe('JSON', () => {
  const parameters = { target_url: 'https://example.com/?a=1&b=%20', event_type: 'dlr' }
  const jsonBody = JSON.stringify(parameters)

  test.each([
    ['with a byte order mark', jsonType, `\ufeff${jsonBody}`],
    ['with a form content type', formType, jsonBody],
    ['with a form content type and a byte order mark', formType, `\ufeff${jsonBody}`],
    ['with a form content type and leading whitespace', formType, ` \n${jsonBody}`],
    ['without a content type', undefined, jsonBody],
  ])('%s is read', (_name, contentType, body) => {
    expect({ ...readParams({ query: '', contentType, body: Buffer.from(body) }) }).toEqual(parameters)
  })

  test('a form that starts with a brace and has a parameter stays a form', () => {
    const body = Buffer.from('{"target_url":"x"}=1&id=7')
    expect({ ...readParams({ query: '', contentType: formType, body }) }).toEqual({ id: '7' })
  })

  test('neither a form nor JSON is rejected', () => {
    const body = Buffer.from('{"target_url":')
    expect(errorCodeOf(() => readParams({ query: '', contentType: formType, body }))).toBe(1000)
  })
})

describe('multipart fields', () => {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
  const multipartType = `multipart/form-data; boundary=${boundary}`
  const part = (disposition: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`
  const fieldPart = ([key, text]: Pair) => part(`name="${key}"`, text)
  const end = `--${boundary}--\r\n`

  const readMultipart = (body: string | Buffer, query = '') => ({
    ...readParams({ query, contentType: multipartType, body: Buffer.from(body) }),
  })

  test('read the same as a form, with the query beside them', () => {
    const plain = assignment.filter((input) => !Object.values(input).some((text) => text.includes(boundary)))
    fc.assert(
      fc.property(plain, fc.boolean(), (input, inQuery) => {
        const pairs = Object.entries(input)
        const half = inQuery ? Math.floor(pairs.length / 2) : 0
        const body = pairs.slice(half).map(fieldPart).join('') + end
        expect(readMultipart(body, formText(pairs.slice(0, half)))).toEqual(input)
      }),
    )
  })

  test.each([
    ['an empty value and null are not set', fieldPart(['id', '']) + fieldPart(['p', 'null']) + end, {}],
    [
      'a part can have a content type',
      part('name=id\r\nContent-Type: text/plain; charset=utf-8', '7') + end,
      { id: '7' },
    ],
    ['headers can be a JSON object', fieldPart(['headers', '{"X-A":1}']) + end, { headers: 'X-A: 1' }],
    [
      'line breaks in headers are kept',
      fieldPart(['headers', 'X-A: 1\r\nX-B: 2']) + end,
      { headers: 'X-A: 1\r\nX-B: 2' },
    ],
    ['unknown names are ignored', fieldPart(['__proto__', 'x']) + fieldPart(['id', '7']) + end, { id: '7' }],
  ])('%s', (_name, body, expected) => {
    expect(readMultipart(body)).toEqual(expected)
  })

  test.each([
    ['a file', part('name="headers"; filename="a.txt"', 'X-A: 1') + end, 1000],
    ['two different values', fieldPart(['id', '7']) + fieldPart(['id', '8']) + end, 1011],
    ['a missing end', fieldPart(['id', '7']), 1000],
    ['a body without parts', 'id=7', 1000],
    ['more than 200 fields', fieldPart(['x', '1']).repeat(201) + end, 1000],
    ['a part with long headers', part(`name="${'x'.repeat(256)}"`, '1') + end, 1000],
    ['a NUL', fieldPart(['p', 'a\0']) + end, 1012],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(fieldPart(['p', 'a'])), Buffer.from([0xff]), Buffer.from(end)]),
      1000,
    ],
  ])('%s is rejected', (_name, body, code) => {
    expect(errorCodeOf(() => readMultipart(body))).toBe(code)
  })

  test.each([
    ['no boundary', undefined, 1000],
    ['a boundary of 70 characters', 'b'.repeat(70), undefined],
    ['a boundary of 71 characters, which would take long to find', 'b'.repeat(71), 1000],
  ])('a content type with %s returns the expected code', (_name, own, code) => {
    const contentType = `multipart/form-data${own === undefined ? '' : `; boundary=${own}`}`
    const body = Buffer.from(`--${own}--\r\n`)
    expect(errorCodeOf(() => readParams({ query: '', contentType, body }))).toBe(code)
  })

  test('only an ApiError is thrown, for any parts', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        `--${boundary}`,
        '--',
        '\r\n',
        '\n',
        'Content-Disposition: form-data',
        '; name="',
        "name*=utf-8''%",
        '"; filename=',
        '\0',
        ':',
        end,
      ),
      anyText,
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const code = errorCodeOf(() => readMultipart(`--${boundary}\r\n${pieces.join('')}`))
        expect([undefined, 1000, 1011, 1012, 1020, 1021]).toContain(code)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('headers', () => {
  const lines = { headers: 'X-Team: one\nX-Number: 7' }
  const headers = { 'X-Team': 'one', 'X-Number': 7 }

  test('can be a JSON object', () => {
    expect(readJson(JSON.stringify({ headers }))).toEqual(lines)
  })

  test('can be the text of a JSON object', () => {
    const text = JSON.stringify(headers, null, 2)
    expect(read([], 'form', [['headers', text]])).toEqual(lines)
    expect(read([], 'json', [['headers', text]])).toEqual(lines)
    expect(read([['headers', text]], 'json', [])).toEqual(lines)
  })

  test('repeated names of an object are kept, so that validation rejects them', () => {
    expect(readJson('{"headers":{"X-A":"1","X-A":"2"}}')).toEqual({ headers: 'X-A: 1\nX-A: 2' })
  })

  test.each([
    ['an empty object', { headers: {} }, {}],
    ['null', { headers: null }, {}],
    ['the text of an empty object', { headers: '{ }' }, {}],
  ])('%s means no headers', (_name, input, expected) => {
    expect(readJson(JSON.stringify(input))).toEqual(expected)
  })

  test.each([
    ['a list as value', '{"headers":{"X-A":["1"]}}', 1021],
    ['a line break in a value', '{"headers":{"X-A":"1\\nHost: x"}}', 1021],
    ['a line break in a name', '{"headers":{"X-A: 1\\nX-B":"2"}}', 1021],
    ['text that is no object', '{"headers":"{X-A: 1}"}', 1021],
    ['a list', '{"headers":["X-A: 1"]}', 1012],
  ])('%s is rejected', (_name, text, code) => {
    expect(errorCodeOf(() => readJson(text))).toBe(code)
  })
})

describe('parameters that are not set', () => {
  test.each([
    ['an empty value', 'id=', undefined],
    ['a name alone', 'id', undefined],
    ['null in a query', 'id=null', undefined],
    ['null in JSON', '', '{"id":null}'],
    ['an empty string in JSON', '', '{"id":""}'],
    ['no parameters', '', undefined],
    ['separators', '&&&', '{}'],
  ])('%s', (_name, query, json) => {
    const body = json === undefined ? undefined : Buffer.from(json)
    expect({ ...readParams({ query, contentType: jsonType, body }) }).toEqual({})
  })

  test.each([
    ['the string null in JSON is a value', '{"p":"null"}', { p: 'null' }],
    ['zero is a value', '{"id":0}', { id: '0' }],
    ['a space is a value', '{"p":" "}', { p: ' ' }],
    ['a number is read as its digits', '{"id":2147483647}', { id: '2147483647' }],
  ])('except that %s', (_name, json, expected) => {
    expect(readJson(json)).toEqual(expected)
  })
})

describe('two different values are rejected with 1011', () => {
  const twoValues = fc.tuple(value, value).filter(([one, other]) => one !== other)
  const conflict = fc.record({ name, values: twoValues, rest: assignment })

  test.each<[string, number, BodyKind]>([
    ['in the query', 2, 'form'],
    ['in the form', 0, 'form'],
    ['in query and form', 1, 'form'],
    ['in query and JSON', 1, 'json'],
    ['in JSON', 0, 'json'],
  ])('%s', (_name, fromQuery, kind) => {
    fc.assert(
      fc.property(conflict, fc.boolean(), ({ name: duplicate, values, rest }, restInBody) => {
        const twice = values.map((one): Pair => [duplicate, one])
        const others = Object.entries(rest).filter(([other]) => other !== duplicate)
        const inQuery = [...twice.slice(0, fromQuery), ...(restInBody ? [] : others)]
        const inBody = [...(restInBody ? others : []), ...twice.slice(fromQuery)]
        expect(errorCodeOf(() => read(inQuery, kind, inBody))).toBe(1011)
      }),
    )
  })
})

describe('a name that occurs twice in JSON text', () => {
  /** Generates any JSON value as text. Its objects repeat parameter names. */
  const { tree } = fc.letrec<{ tree: string; leaf: string; list: string; object: string }>((tie) => ({
    tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
    leaf: fc.oneof(
      fc.oneof(anyText, trickyText).map((text) => JSON.stringify(text)),
      fc.constantFrom('1', '-2.5e3', 'true', 'null', '[]', '{}', '"id"', '"\\"id\\":"'),
    ),
    list: fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[ ${items.join(' , ')} ]`),
    object: fc
      .array(fc.tuple(fc.oneof(name, otherName), tie('tree')), { maxLength: 4 })
      .map((members) => `{ ${members.map(([key, text]) => `${escapeName(key)} : ${text}`).join(' , ')} }`),
  }))
  const nested = fc.array(fc.tuple(otherName, tree), { maxLength: 4 })
  test('below the top level is not a conflict', () => {
    fc.assert(
      fc.property(assignment, nested, nested, (input, before, after) => {
        const entries = Object.entries(input).map(([key, text]): Pair => [key, JSON.stringify(text)])
        expect(readJson(`{${fields([...before, ...entries, ...after]).join(',')}}`)).toEqual(input)
      }),
    )
  })

  test('at the top level is a conflict, regardless of escapes and of fields in between', () => {
    fc.assert(
      fc.property(name, nested, nested, (duplicate, between, after) => {
        const list = [
          `"${duplicate}":"a"`,
          ...fields(between),
          `${escapeName(duplicate)} :"b"`,
          ...fields(after),
        ]
        expect(errorCodeOf(() => readJson(`{${list.join(',')}}`))).toBe(1011)
      }),
    )
  })
})

describe('only an ApiError is thrown, and only text is read', () => {
  const contentType = fc.oneof(
    fc.constantFrom(
      undefined,
      '',
      formType,
      jsonType,
      'application/json; charset=utf-8',
      'text/plain',
      ';',
      '/',
    ),
    anyText,
    fc.tuple(fc.constantFrom(formType, jsonType), anyText).map(([type, rest]) => `${type};${rest}`),
  )
  const malformedText = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          ':',
          ',',
          '"',
          '\\',
          '\\u00',
          '\ud800',
          '%',
          '%e2%82',
          '&',
          '=',
          '\0',
        ),
        fc.constantFrom(
          ...names.map((paramName) => `"${paramName}"`),
          ...names.map((paramName) => `${paramName}=`),
        ),
        anyText,
      ),
    )
    .map((parts) => parts.join(''))
  const body = fc.oneof(
    fc.constant(undefined),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    malformedText.map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
  )

  test('for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, malformedText), contentType, body, (query, type, bytes) => {
        const outcome = attempt({ query, contentType: type, body: bytes })
        if (outcome instanceof ApiError) {
          expect([400, 415]).toContain(outcome.status)
          return
        }
        for (const [paramName, text] of Object.entries(outcome)) {
          expect(names).toContain(paramName)
          expect(text).toEqual(expect.any(String))
          expect(text).not.toBe('')
          expect(text).not.toContain('\0')
          expect(text.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['a NUL', '{"p":"a\\u0000"}', 1012],
    ['a lone surrogate', '{"p":"\\udc00"}', 1012],
    ['a list', '{"id":[1]}', 1012],
    ['an object', '{"id":{}}', 1012],
    ['a list at the top level', '[]', 1000],
    ['invalid JSON', '{"id":1', 1000],
  ])('for %s', (_name, json, code) => {
    expect(errorCodeOf(() => readJson(json))).toBe(code)
  })

  test('without changing Object.prototype', () => {
    readJson('{"__proto__":{"id":"7"},"constructor":{"prototype":{"id":"7"}}}')
    read([['__proto__', 'id']], 'form', [['__proto__[id]', '7']])
    expect(Reflect.get({}, 'id')).toBeUndefined()
  })
})

function fields(list: readonly Pair[]): string[] {
  return list.map(([key, text]) => `${JSON.stringify(key)}\n:\t${text}`)
}

function attempt(request: Parameters<typeof readParams>[0]): ApiError | Record<string, string> {
  try {
    return { ...readParams(request) }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Encodes every UTF-8 byte of the text as %XX. */
function percent(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')
}

/** Returns the name as a JSON string in which every second character is escaped. */
function escapeName(text: string): string {
  const escaped = Array.from({ length: text.length }, (_, at) =>
    at % 2 === 0
      ? `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
      : JSON.stringify(text.charAt(at)).slice(1, -1),
  )
  return `"${escaped.join('')}"`
}
