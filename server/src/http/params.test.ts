/** However parameters are spread over query, form and JSON, they read the same; and nothing but a refusal is thrown. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../model/errors.ts'
import { readParams } from './params.ts'

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
/** What a parameter can be set to: no NUL, and not what means "not set". */
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
  .filter((text) => !names.some((known) => known === text))
const assignment = fc.dictionary(name, value, { noNullPrototype: true })

function formText(pairs: readonly Pair[]): string {
  return pairs.map(([left, right]) => `${encodeURIComponent(left)}=${encodeURIComponent(right)}`).join('&')
}

/** JSON text, not an object: names may stand in it twice. */
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

function codeOf(act: () => unknown): number | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code
  }
}

describe('the same parameters read the same', () => {
  /** Each pair in the query, in the body or in both; each source in an order of its own. */
  const spread = assignment.chain((given) => {
    const pairs = Object.entries(given)
    return fc
      .record({ inQuery: fc.shuffledSubarray(pairs), inBody: fc.shuffledSubarray(pairs) })
      .map(({ inQuery, inBody }) => {
        const elsewhere = pairs.filter((pair) => !inQuery.includes(pair) && !inBody.includes(pair))
        return { given, inQuery, inBody: [...inBody, ...elsewhere] }
      })
  })

  test('wherever they stand, in whatever order', () => {
    fc.assert(
      fc.property(spread, fc.constantFrom<BodyKind>('form', 'json'), ({ given, inQuery, inBody }, kind) => {
        expect(read(inQuery, kind, inBody)).toEqual(given)
      }),
    )
  })

  test('however often the query and the form repeat them', () => {
    fc.assert(
      fc.property(assignment, fc.integer({ min: 1, max: 4 }), (given, times) => {
        const repeated = Array.from({ length: times }, () => Object.entries(given)).flat()
        expect(read(repeated, 'form', repeated)).toEqual(given)
      }),
    )
  })

  test('when JSON text repeats them', () => {
    fc.assert(
      fc.property(assignment, (given) => {
        const pairs = Object.entries(given)
        expect(read([], 'json', [...pairs, ...pairs])).toEqual(given)
      }),
    )
  })

  test('among names that no call knows, which may repeat and differ', () => {
    const noise = fc.array(fc.tuple(otherName, anyText))
    fc.assert(
      fc.property(assignment, noise, noise, noise, (given, before, after, inQuery) => {
        const pairs = [...before, ...Object.entries(given), ...after]
        expect(read(inQuery, 'form', pairs)).toEqual(given)
        expect(read(inQuery, 'json', pairs)).toEqual(given)
        expect(read(pairs, 'json', inQuery)).toEqual(given)
      }),
    )
  })

  test('among empty values and nulls, which mean "not set"', () => {
    const unset = fc.array(fc.tuple(name, fc.constantFrom('', 'null')))
    fc.assert(
      fc.property(assignment, unset, unset, (given, before, after) => {
        const pairs = [...before, ...Object.entries(given), ...after]
        expect(read(pairs, 'form', pairs)).toEqual(given)
      }),
    )
  })

  test('with plus or %20 for a space, and with any letter percent-encoded', () => {
    fc.assert(
      fc.property(assignment, (given) => {
        const encoded = Object.entries(given).map(([left, right]) => `${percent(left)}=${percent(right)}`)
        const plus = Object.entries(given).map(
          ([left, right]) => `${left}=${encodeURIComponent(right).replaceAll('%20', '+')}`,
        )
        const asked = { contentType: undefined, body: undefined }
        expect({ ...readParams({ query: encoded.join('&'), ...asked }) }).toEqual(given)
        expect({ ...readParams({ query: plus.join('&'), ...asked }) }).toEqual(given)
      }),
    )
  })
})

describe('not set', () => {
  test.each([
    ['an empty value', 'id=', undefined],
    ['a name alone', 'id', undefined],
    ['null in a query', 'id=null', undefined],
    ['null in JSON', '', '{"id":null}'],
    ['an empty text in JSON', '', '{"id":""}'],
    ['nothing at all', '', undefined],
    ['separators', '&&&', '{}'],
  ])('%s', (_name, query, json) => {
    const body = json === undefined ? undefined : Buffer.from(json)
    expect({ ...readParams({ query, contentType: jsonType, body }) }).toEqual({})
  })

  test.each([
    ['the text null in JSON is a text', '{"p":"null"}', { p: 'null' }],
    ['zero is a value', '{"id":0}', { id: '0' }],
    ['a space is a value', '{"p":" "}', { p: ' ' }],
    ['a number reads as its digits', '{"id":2147483647}', { id: '2147483647' }],
  ])('but %s', (_name, json, expected) => {
    expect(readJson(json)).toEqual(expected)
  })
})

describe('two different values are refused with 1011', () => {
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
      fc.property(conflict, fc.boolean(), ({ name: both, values, rest }, restInBody) => {
        const twice = values.map((one): Pair => [both, one])
        const others = Object.entries(rest).filter(([other]) => other !== both)
        const inQuery = [...twice.slice(0, fromQuery), ...(restInBody ? [] : others)]
        const inBody = [...(restInBody ? others : []), ...twice.slice(fromQuery)]
        expect(codeOf(() => read(inQuery, kind, inBody))).toBe(1011)
      }),
    )
  })
})

describe('a name that stands twice in JSON text', () => {
  /** Any JSON value as text, in which objects repeat the names of parameters. */
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
  test('below the top is no conflict', () => {
    fc.assert(
      fc.property(assignment, nested, nested, (given, before, after) => {
        const own = Object.entries(given).map(([key, text]): Pair => [key, JSON.stringify(text)])
        expect(readJson(`{${fields([...before, ...own, ...after]).join(',')}}`)).toEqual(given)
      }),
    )
  })

  test('at the top is one, whatever stands between and however the name is escaped', () => {
    fc.assert(
      fc.property(name, nested, nested, (both, between, after) => {
        const list = [`"${both}":"a"`, ...fields(between), `${escapeName(both)} :"b"`, ...fields(after)]
        expect(codeOf(() => readJson(`{${list.join(',')}}`))).toBe(1011)
      }),
    )
  })
})

describe('nothing but a refusal is thrown, and nothing but text is read', () => {
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
  const mess = fc
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
        fc.constantFrom(...names.map((known) => `"${known}"`), ...names.map((known) => `${known}=`)),
        anyText,
      ),
    )
    .map((parts) => parts.join(''))
  const body = fc.oneof(
    fc.constant(undefined),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    mess.map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
  )

  test('by any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mess), contentType, body, (query, type, bytes) => {
        const outcome = attempt({ query, contentType: type, body: bytes })
        if (outcome instanceof Refusal) {
          expect([400, 415]).toContain(outcome.status)
          return
        }
        for (const [known, text] of Object.entries(outcome)) {
          expect(names).toContain(known)
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
    ['half a surrogate pair', '{"p":"\\udc00"}', 1012],
    ['a list', '{"id":[1]}', 1012],
    ['an object', '{"id":{}}', 1012],
    ['a list at the top', '[]', 1000],
    ['text that is no JSON', '{"id":1', 1000],
  ])('by %s', (_name, json, code) => {
    expect(codeOf(() => readJson(json))).toBe(code)
  })

  test('nor does reading change what all objects have', () => {
    readJson('{"__proto__":{"id":"7"},"constructor":{"prototype":{"id":"7"}}}')
    read([['__proto__', 'id']], 'form', [['__proto__[id]', '7']])
    expect(Reflect.get({}, 'id')).toBeUndefined()
  })
})

function fields(list: readonly Pair[]): string[] {
  return list.map(([key, text]) => `${JSON.stringify(key)}\n:\t${text}`)
}

function attempt(request: Parameters<typeof readParams>[0]): Refusal | Record<string, string> {
  try {
    return { ...readParams(request) }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Every byte of the text's UTF-8 as %XX. */
function percent(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')
}

/** The name in JSON with every second character as an escape. */
function escapeName(text: string): string {
  const escaped = Array.from({ length: text.length }, (_nothing, at) =>
    at % 2 === 0
      ? `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
      : JSON.stringify(text.charAt(at)).slice(1, -1),
  )
  return `"${escaped.join('')}"`
}
