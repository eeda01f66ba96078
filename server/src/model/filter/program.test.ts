/** Tests that expressions return the same result as the library, wherever the library returns one. */
import { builtInTraits } from '../event-traits.ts'
import { Environment } from '@marcbachmann/cel-js'
import { expect, test } from 'vitest'
import { evaluate, filterInput, validateFilter } from './event-filter.ts'
import { maxFilterUnits } from './budget.ts'
import { parseExpression } from './check.ts'
import { createProgram } from './program.ts'
import { Failure } from './values.ts'

const library = new Environment({ unlistedVariablesAreDyn: false })
  .registerVariable('event', 'map')
  .registerVariable('data', 'map')

const samples = [
  {
    system: '491701',
    text: 'STOP now, Zürich 😀',
    list: ['a', 'b', 3, 4.5, null, true],
    texts: ['x', 'y', 'x'],
    numbers: [1, 2, 3],
    map: { a: 1, b: { c: [1, 2] } },
    same: { b: { c: [1, 2] }, a: 1 },
    count: 3,
    price: 0.075,
    is_test: true,
    nothing: null,
    when: '2026-11-15T09:30:00Z',
    digits: '42',
    span: '1h30m',
  },
  {
    system: 5,
    text: '',
    list: [],
    texts: [1],
    numbers: {},
    map: [],
    count: '3',
    is_test: 'yes',
    when: 'x',
    span: '1x',
  },
]

test.each([
  'data.text.startsWith("STOP") && data.text.endsWith("😀")',
  'data.text.contains("now") || data.nope == 1',
  'data.nope == 1 && false',
  'false && data.nope == 1',
  'data.nope == 1 || true',
  'data.nope == 1 || false',
  'data.is_test ? data.count > 2 : false',
  '!data.is_test',
  '-data.count < 0.0',
  'data.count == 3',
  'data.count != 3',
  'data.count >= 3 && data.count <= 3',
  'data.count + 1.0 == 4.0',
  'data.count + 1 == 4',
  'data.count * 2.0 / 3.0 - 1.0 > 0.0',
  '7 % 4 == 3 && 7 / 2 == 3 && 2 * 3 - 1 == 5',
  '1 / int(data.count) == 0',
  '9223372036854775807 + int(data.count) > 0',
  '3u + 4u == 7u && 7u > 2u',
  'data.map == data.same',
  'data.map != data.same',
  'data.list == data.texts',
  'data.texts == ["x", "y", "x"]',
  '[1, 2] + [3] == [1, 2, 3]',
  '3 in data.list',
  '"a" in data.list',
  'null in data.list',
  '"a" in data.map',
  '"z" in data.map',
  'data.map.b.c[1] == 2',
  'data.map["b"]["c"][0] == 1',
  'data.list[9] == 1',
  'data.list[-1] == 1',
  'data.text.length == 1',
  'has(data.map.a)',
  'has(data.map.z)',
  'has(data.nope.z)',
  'data.texts.exists(x, x == "y")',
  'data.texts.all(x, x != "")',
  'data.texts.exists_one(x, x == "y")',
  'data.texts.exists_one(x, x == "x")',
  'data.list.exists(x, x.a == 1)',
  'data.list.exists(x, x > 3)',
  'data.numbers.map(x, x * 2.0) == [2.0, 4.0, 6.0]',
  'data.numbers.map(x, x > 1, x) == [2, 3]',
  'data.numbers.filter(x, x > 1).size() == 2',
  'data.map.exists(key, key == "b")',
  'data.text.exists(x, true)',
  'size(data.text) == 18',
  'size(data.list) == 6 && data.list.size() == 6',
  'size(data.map) == 2',
  'data.text.lowerAscii().contains("stop")',
  'data.text.upperAscii().contains("NOW")',
  '"  a ".trim() == "a"',
  'data.text.indexOf("now") == 5 && data.text.lastIndexOf("o") == 6',
  'data.text.indexOf("o", 3) == 6',
  'data.text.indexOf("o", 99) == 6',
  'data.text.substring(5) != "" && data.text.substring(0, 4) == "STOP"',
  'data.text.substring(99) == ""',
  'data.text.split(" ").size() == 4',
  'data.text.split(" ", 2)[1].startsWith("now")',
  'data.texts.join("-") == "x-y-x"',
  'data.list.join() == ""',
  'int(data.digits) == 42',
  'int("4x") == 4',
  'double("1.5") == 1.5 && double(2) == 2.0',
  'double("x") == 1.5',
  'string(data.count) == "3" && string(3) == "3" && string(true) == "true"',
  'bool("true") && !bool("0")',
  'bool(data.text)',
  'bytes("ab").hex() == "6162" && bytes("ab").base64() == "YWI=" && bytes("ab").size() == 2',
  'bytes("ab").at(1) == 98',
  'bytes("ab").at(2) == 98',
  'bytes("{\\"a\\":[1]}").json().a[0] == 1.0',
  'bytes(data.text).json().a == 1',
  'timestamp(data.when) < event.accepted_at + duration("1s")',
  'timestamp(data.when).getFullYear() == 2026 && timestamp(data.when).getMonth() == 10',
  'timestamp(data.when).getDayOfYear() == 318 && timestamp(data.when).getDayOfWeek() == 0',
  'timestamp(data.when).getHours("Europe/Berlin") == 10',
  'timestamp(data.when).getHours("Nowhere/At all") == 10',
  'timestamp(data.when) - timestamp(0) > duration("1h")',
  'duration(data.span) == duration("90m") && duration(data.span).getMinutes() == 90',
  'duration("-1.5s") < duration("0s") && duration("1ms") > duration("1us")',
  'type(data.count) == double && type("a") == string && type([]) == list',
  'cel.bind(x, data.text, x.contains("now") && x.contains("STOP"))',
  '{"a": 1}.a == 1 && {"a": 1}["b"] == 1',
  'data.text < "T" && data.text > "A"',
  'data.text < 1',
  'data.nothing == null && data.nothing != data.text',
  'data.is_test && data.text',
  'data.text ? true : false',
  'event.type == "sms_mo" && event.id != ""',
  'dyn(data.text) == dyn(1)',
])('%s', (expression) => {
  validateFilter(`cel:${expression}`, 1_024)
  const program = createProgram(parseExpression(expression))
  const outcomes = samples.map((data) => {
    const event = {
      id: 'an id',
      accountId: 1,
      type: 'sms_mo',
      data: JSON.stringify(data),
      acceptedAt: new Date('2026-11-15T09:30:00Z'),
    }
    const input = filterInput(event, builtInTraits.sms_mo)
    const { result } = evaluate(program, input, maxFilterUnits)
    return {
      actual: result instanceof Failure ? 'fails' : result,
      expected: evaluateWithLibrary(expression, input.facts),
    }
  })
  expect(outcomes.map(({ actual }) => actual)).toEqual(outcomes.map(({ expected }) => expected))
})

function evaluateWithLibrary(expression: string, facts: object): unknown {
  try {
    return library.evaluate(expression, { ...facts })
  } catch {
    return 'fails'
  }
}
