/** Tests the text of values inside JSON text. White space does not change values or their notation. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson, elementTexts, measureJson, memberTexts } from './json-text.ts'

/** JSON text with white space in every valid position, and without any. */
interface Spelling {
  spaced: string
  compact: string
}

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 })
const number = fc.oneof(
  fc.constantFrom('0', '-0', '0.0', '1.10', '1E+5', '1e-7', '12345678901234567890', '1e400', '-1.50e00'),
  fc.integer().map(String),
)
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
    fc.constantFrom(
      String.raw`"\""`,
      String.raw`"\\"`,
      String.raw`"\\\""`,
      String.raw`"a \/ \u0020 \ud83d"`,
      '"{[,:]}"',
      '" : , "',
      '"\u2028\u00a0\u3000"',
    ),
  )
  .filter((value) => value.isWellFormed())
/** No name contains a backslash. After such a name V8 misreads others (nodejs/node#63785). */
const anyName = fc.oneof(text, fc.constantFrom('"a"', '"__proto__"')).filter((name) => !name.includes('\\\\'))
const scalar = fc.oneof(number, text, fc.constantFrom('true', 'false', 'null'))

const { value, list, object } = fc.letrec<{
  value: Spelling
  list: Spelling[]
  object: Array<[string, Spelling]>
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(scalar, space, space).map(([compact, before, after]) => spelling(compact, before, after)),
    fc.tuple(tie('list'), space).map(([elements, inside]) => spelledList(elements, inside)),
    fc.tuple(tie('object'), space).map(([members, inside]) => spelledObject(members, inside)),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(anyName, tie('value')), {
    maxLength: 4,
  }),
}))

function spelling(compact: string, before: string, after: string): Spelling {
  return { spaced: `${before}${compact}${after}`, compact }
}

function spelledList(elements: Spelling[], inside: string): Spelling {
  return {
    spaced: `${inside}[${inside}${elements.map(({ spaced }) => spaced).join(',')}]${inside}`,
    compact: `[${elements.map(({ compact }) => compact).join(',')}]`,
  }
}

function spelledObject(members: Array<[string, Spelling]>, inside: string): Spelling {
  const joined = (gap: string, spellingKey: keyof Spelling) =>
    members.map(([name, member]) => `${gap}${name}${gap}:${member[spellingKey]}`).join(',')
  return {
    spaced: `${inside}{${inside}${joined(inside, 'spaced')}}${inside}`,
    compact: `{${joined('', 'compact')}}`,
  }
}

describe('any JSON text', () => {
  test('loses only its white space', () => {
    fc.assert(
      fc.property(value, ({ spaced, compact }) => {
        expect(compactJson(spaced)).toBe(compact)
        expect(JSON.parse(compactJson(spaced))).toEqual(JSON.parse(spaced))
      }),
      { numRuns: 1_000 },
    )
  })

  test('of a list returns the text of each element', () => {
    fc.assert(
      fc.property(list, space, (elements, inside) => {
        const { spaced } = spelledList(elements, inside)
        const texts = elementTexts(compactJson(spaced))
        expect(texts).toEqual(elements.map(({ compact }) => compact))
        expect(texts.map((element) => JSON.parse(element))).toEqual(JSON.parse(spaced))
      }),
      { numRuns: 1_000 },
    )
  })

  test('of an object returns name and text of each member, including duplicates', () => {
    fc.assert(
      fc.property(object, space, (members, inside) => {
        const { spaced } = spelledObject(members, inside)
        const texts = memberTexts(compactJson(spaced))
        expect(texts).toEqual(members.map(([name, { compact }]) => [JSON.parse(name), compact]))
        // The last member of a name wins, as in every JSON parser.
        const parsed = Object.fromEntries(texts.map(([name, member]) => [name, JSON.parse(member)]))
        expect(parsed).toEqual(JSON.parse(spaced))
      }),
      { numRuns: 1_000 },
    )
  })
})

test.each([
  ['[]', []],
  ['[1.10,-0,1E+5,12345678901234567890]', ['1.10', '-0', '1E+5', '12345678901234567890']],
  ['["a,b",[1,[2]],{"c":[3]}]', ['"a,b"', '[1,[2]]', '{"c":[3]}']],
  [String.raw`["\\","\"",""]`, [String.raw`"\\"`, String.raw`"\""`, '""']],
])('elementTexts splits %s', (compact, elements) => {
  expect(elementTexts(compact)).toEqual(elements)
})

test.each([
  ['{}', []],
  [
    '{"a":1.0,"a":2.0}',
    [
      ['a', '1.0'],
      ['a', '2.0'],
    ],
  ],
  [
    String.raw`{"\u0061":{"b":null},"\"":"}"}`,
    [
      ['a', '{"b":null}'],
      ['"', '"}"'],
    ],
  ],
  [
    '{"__proto__":[1],"":""}',
    [
      ['__proto__', '[1]'],
      ['', '""'],
    ],
  ],
])('memberTexts splits %s', (compact, members) => {
  expect(memberTexts(compact)).toEqual(members)
})

test.each([
  ['1', { depth: 0, keys: 0, values: 0, maxKeyLength: 0 }],
  ['{"a":1,"bc":[1,[2]]}', { depth: 3, keys: 2, values: 5, maxKeyLength: 2 }],
  ['{ "a" : { "b[{,:" : "c,:[" } }', { depth: 2, keys: 2, values: 2, maxKeyLength: 5 }],
  ['[[],{}]', { depth: 2, keys: 0, values: 4, maxKeyLength: 0 }],
  ['[[[[', { depth: 4, keys: 0, values: 4, maxKeyLength: 0 }],
])('measureJson measures %s', (json, shape) => {
  expect(measureJson(json)).toEqual(shape)
})

test('measureJson throws if a string does not end', () => {
  expect(() => measureJson('{"a')).toThrow()
})

test('a text with the size of the largest event is parsed quickly', () => {
  const long = JSON.stringify('"\\ '.repeat(64 * 1_024))
  const before = process.threadCpuUsage()
  expect(elementTexts(compactJson(`[ ${long} , 1 ]`))).toEqual([long, '1'])
  expect(process.threadCpuUsage(before).user / 1_000, 'ms of this thread').toBeLessThan(1_000)
})
