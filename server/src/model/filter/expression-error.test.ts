/** Tests that mistakes in an expression are explained in plain words and marked in the text. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { InvalidExpression } from './expression-error.ts'
import { validateFilter } from './event-filter.ts'

function errorOf(expression: string, maxBytes = 4_096): InvalidExpression | undefined {
  try {
    validateFilter(`cel:${expression}`, maxBytes)
    return undefined
  } catch (error) {
    if (error instanceof InvalidExpression) return error
    if (error instanceof ApiError) return undefined
    throw error
  }
}

test.each([
  ['(data.a == "x"', '"x"', 'Add a closing parenthesis after “"x"”.'],
  ['data.items.exists(x, x == 1', '1', 'Add a closing parenthesis after “1”.'],
  ['data.a in ["x"', '"x"', 'Add a closing bracket after “"x"”.'],
  ['data["a" == "x"', '"x"', 'Add a closing bracket after “"x"”.'],
  ['data == {"b": 1', '1', 'Add a closing brace after “1”.'],
  ['(data.a == "x" data.b', 'data', 'Add && or || before “data”, or a closing parenthesis.'],
  ['data.a == "x', '"x', 'Add a closing quotation mark (") after “x”.'],
  ["data.a == 'x", "'x", "Add a closing quotation mark (') after “x”."],
  ['"""abc', '"""abc', 'Add closing quotation marks (""") after “abc”.'],
  ['data.a = "x"', '=', 'Use == to compare. A single = is not an operator.'],
  ['data.a === 1', '===', 'Use == to compare. === is not an operator.'],
  ['data.a !== 1', '!==', 'Use != to compare. !== is not an operator.'],
  ['data.a <> 1', '<>', 'Use != to compare. <> is not an operator.'],
  ['data.a == 1 and data.b == 1', 'and', 'Use && instead of “and”.'],
  ['data.a == 1 AND data.b == 1', 'AND', 'Use && instead of “AND”.'],
  ['(data.a == 1 or data.b == 1)', 'or', 'Use || instead of “or”.'],
  ['not data.a', 'not', 'Use ! instead of “not”.'],
  ['data.a & data.b', '&', 'Use && instead of “&”.'],
  ['data.a | data.b', '|', 'Use || instead of “|”.'],
  ['fetch(data.a)', 'fetch', 'Unknown function: fetch().'],
  ['data.text.startswith("x")', 'startswith', 'Unknown function: startswith(). Use startsWith().'],
  ['contains(data.text, "x")', 'contains', 'contains() follows the value: write value.contains(…).'],
  ['size(5) == 1', 'size', 'size() cannot be used with a number.'],
  ['"x".startsWith(5)', 'startsWith', 'startsWith() on text cannot be used with a number.'],
  ['"x" && true', '"x" && true', 'Both sides of && and || must be true or false, but one is text.'],
  [
    'sender == "1"',
    'sender',
    'Unknown name: sender. Use data.sender for a field, or put text in quotation marks.',
  ],
  ['Data.text == "x"', 'Data', 'Unknown name: Data. Use data, in lower case.'],
  ['data.a == TRUE', 'TRUE', 'Unknown name: TRUE. Use true, in lower case.'],
  [
    'event.type == sms_mo',
    'sms_mo',
    'Unknown name: sms_mo. Use data.sms_mo for a field, or put text in quotation marks.',
  ],
  [
    '"a" == 5',
    '"a" == 5',
    'Text cannot be compared with a number. Both sides of == must have the same type.',
  ],
  [
    'data.a.contains("a") == "x"',
    'data.a.contains("a") == "x"',
    'True or false cannot be compared with text. Both sides of == must have the same type.',
  ],
  ['"a" - 1 == 2', '"a" - 1', 'The operator - cannot be used with text and a number.'],
  ['data.a == “x”', '“', 'Use straight quotation marks (") instead of “.'],
  ['data.a == ‘x’', '‘', 'Use straight quotation marks (") instead of ‘.'],
  ['data.a == "x" &&', '&&', 'Add a value after “&&”.'],
  ['data.a == ', '==', 'Add a value after “==”.'],
  ['data.a == "x")', ')', 'Remove the closing parenthesis, or add an opening one before it.'],
  ['data.a == 1]', ']', 'Remove the closing bracket, or add an opening one before it.'],
  ['data.a == 1 data.b', 'data', 'Add && or || before “data”, or remove it.'],
  ['data.a..b', '.', 'Enter a field name after the period.'],
  ['data.a; true', ';', 'Remove “;”. A filter is one expression.'],
  ['data.a @ 1', '@', '“@” cannot be used here.'],
  ['data.a ? true', 'true', 'Add a colon and another value after “true”, as in condition ? a : b.'],
  ['has(data)', 'data', 'has() needs a field, as in has(data.text).'],
  ['if data.a', 'if', '“if” is a reserved word. Write data["if"] for a field with this name.'],
  [
    'data.a == "x\ny"',
    '\n',
    'Text in quotation marks cannot contain a line break. Write \\n for a line break.',
  ],
  ['data.a == "\\q"', '\\q', '“\\q” is not a valid escape sequence. Write \\\\ for a backslash.'],
])('%s', (expression, marked, sentence) => {
  const error = errorOf(expression)
  expect(error?.sentence).toBe(sentence)
  expect(error?.message).toBe(`Invalid filter expression: ${sentence}`)
  expect(markedText(expression, error)).toBe(marked)
})

test.each(['', '   '])('an empty expression gets an example', (expression) => {
  expect(errorOf(expression)?.sentence).toBe(
    'Enter an expression, for example data.system == "4915123456789".',
  )
})

test('long parts of the expression are shortened', () => {
  const error = errorOf(`(data.a == "${'x'.repeat(300)}"`)
  expect(error?.sentence.length).toBeLessThan(120)
})

test('the name of a call is marked, however long it is', () => {
  const name = 'a'.repeat(120_000)
  const error = errorOf(`data.${name}(1)`, 200_000)
  expect(error?.sentence).toBe(`Unknown function: ${'a'.repeat(30)}…().`)
  expect(markedText(`data.${name}(1)`, error)).toBe(name)
})

test('every explanation is one line, marks a part of the text, and contains no parser jargon', () => {
  const parts = `data .a "x" " ( ) [ ] { } == = && & | and or ? : , 1 1.2.3 \\ size( .contains( has( ! - “ in 😀 \0`
  const part = fc.constantFrom(...parts.split(' '), '\n')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (chosen) => {
      const expression = chosen.join(' ')
      const error = errorOf(expression)
      if (error === undefined) return
      expect(error.sentence).not.toMatch(
        /[\n\r]|overload|\bEOF\b|RPAREN|LPAREN|BRACKET|BRACE|IDENTIFIER|\bdyn\b/,
      )
      const { index = -1, length = -1 } = error.options.details ?? {}
      expect(index).toBeGreaterThanOrEqual('cel:'.length)
      expect(index + length).toBeLessThanOrEqual(`cel:${expression}`.length)
    }),
    { numRuns: 2_000 },
  )
})

function markedText(expression: string, error: InvalidExpression | undefined): string {
  const { index = 0, length = 0 } = error?.options.details ?? {}
  return `cel:${expression}`.slice(index, index + length)
}
