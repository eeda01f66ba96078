/**
 * Explains why an expression cannot be saved: one plain sentence that says what to change, and the part of the text
 * that it is about. The library reports tokens and overloads, which mean nothing to most users. Pure.
 */
import { ParseError, TypeError } from '@marcbachmann/cel-js'
import { ApiError } from '../errors.ts'
import { shorten } from './filter-error.ts'
import { functions } from './functions.ts'

const maxVisible = 30

interface Range {
  start: number
  end: number
}

interface Explanation {
  sentence: string
  /** In the expression. */
  range: Range
}

export class InvalidExpression extends ApiError {
  /** The message without its introduction, for a form that shows it at the field. */
  readonly sentence: string

  constructor({ sentence, range }: Explanation, prefixLength: number) {
    super('invalidFilter', `Invalid filter expression: ${sentence}`, {
      field: 'event_filter',
      details: { index: prefixLength + range.start, length: range.end - range.start },
    })
    this.sentence = sentence
  }
}

export function explainExpressionError(expression: string, error: unknown): Explanation {
  const whole = { start: 0, end: expression.length }
  if (!(error instanceof ParseError || error instanceof TypeError))
    return { sentence: 'The expression does not compile.', range: whole }
  const { code, summary } = error
  const range = withinText(error.range ?? whole, expression)
  const explained = explainers[code]?.(expression, range, summary)
  return explained ?? { sentence: finish(summary), range }
}

type Explainer = (expression: string, range: Range, summary: string) => Explanation | undefined

const explainers: Record<string, Explainer | undefined> = {
  expected_token: explainExpected,
  unexpected_token: explainUnexpected,
  unexpected_character: explainUnexpected,
  unterminated_string: (expression, range) => ({
    sentence: `Add a closing quotation mark (${expression[range.start]}) after “${shorten(expression.slice(range.start + 1, range.end), maxVisible)}”.`,
    range,
  }),
  unterminated_triple_quoted_string: (expression, range) => ({
    sentence: `Add closing quotation marks (${expression.slice(range.start, range.start + 3)}) after “${shorten(expression.slice(range.start + 3, range.end), maxVisible)}”.`,
    range,
  }),
  newline_in_string: (_expression, range) => ({
    sentence: 'Text in quotation marks cannot contain a line break. Write \\n for a line break.',
    range,
  }),
  invalid_escape_sequence: (expression, range) => ({
    sentence: `“${textOf(expression, range)}” is not a valid escape sequence. Write \\\\ for a backslash.`,
    range,
  }),
  invalid_macro_argument: (_expression, range, summary) =>
    summary.startsWith('has()')
      ? { sentence: 'has() needs a field, as in has(data.text).', range }
      : { sentence: finish(summary), range },
  reserved_identifier: (expression, range) => ({
    sentence: `“${textOf(expression, range)}” is a reserved word. Write data["${textOf(expression, range)}"] for a field with this name.`,
    range,
  }),
  unknown_variable: explainName,
  no_such_overload: explainTypes,
  no_matching_overload: explainTypes,
  invalid_logical_operand: (_expression, range, summary) => ({
    sentence: `Both sides of && and || must be true or false, but one is ${typeText(quotedType(summary))}.`,
    range,
  }),
  invalid_condition_type: (_expression, range, summary) => ({
    sentence: `The condition must be true or false, but is ${typeText(quotedType(summary))}.`,
    range,
  }),
  incompatible_ternary_branches: (_expression, range) => ({
    sentence: 'Both results of the condition must have the same type.',
    range,
  }),
  cannot_index_type: (_expression, range, summary) => ({
    sentence: `Fields cannot be read from ${typeText(quotedType(summary))}.`,
    range,
  }),
  invalid_comprehension_range: (_expression, range, summary) => ({
    sentence: `The function needs a list or a map, but gets ${typeText(quotedType(summary))}.`,
    range,
  }),
  invalid_index_type: (_expression, range) => ({
    sentence: 'The position in a list must be a whole number.',
    range,
  }),
  limit_exceeded: (_expression, range, summary) => {
    const [, name = '', limit = ''] = /(\w+) \((\d+)\)/.exec(summary) ?? []
    return { sentence: `The expression ${limitTexts[name] ?? 'is too long'} (at most ${limit}).`, range }
  },
}

const limitTexts: Record<string, string> = {
  maxAstNodes: 'has too many parts',
  maxDepth: 'is nested too deeply',
  maxListElements: 'has a list with too many values',
  maxMapEntries: 'has a map with too many entries',
  maxCallArguments: 'has a call with too many values',
}

/** Words and signs of other languages. */
const replacements: Record<string, string | undefined> = {
  and: '&&',
  or: '||',
  not: '!',
  '&': '&&',
  '|': '||',
}
const wrongComparisons: Record<string, string | undefined> = {
  '=': 'Use == to compare. A single = is not an operator.',
  '===': 'Use == to compare. === is not an operator.',
  '!==': 'Use != to compare. !== is not an operator.',
  '<>': 'Use != to compare. <> is not an operator.',
}
const brackets: Record<string, string | undefined> = { ')': 'parenthesis', ']': 'bracket', '}': 'brace' }
const closings: Record<string, string | undefined> = {
  RPAREN: 'parenthesis',
  RBRACKET: 'bracket',
  RBRACE: 'brace',
}

function explainExpected(expression: string, range: Range, summary: string): Explanation | undefined {
  const mistake = explainForeign(expression, range)
  if (mistake !== undefined) return mistake
  const [, expected = ''] = /^Expected (\w+)/.exec(summary) ?? []
  const previous = tokenBefore(expression, range.start)
  const closing = closings[expected]
  if (closing !== undefined && isAtEnd(expression, range))
    return {
      sentence: `Add a closing ${closing} after “${shorten(textOf(expression, previous), maxVisible)}”.`,
      range: previous,
    }
  if (closing !== undefined)
    return {
      sentence: `Add && or || before “${shorten(textOf(expression, range), maxVisible)}”, or a closing ${closing}.`,
      range,
    }
  if (expected === 'COLON')
    return {
      sentence: `Add a colon and another value after “${shorten(textOf(expression, previous), maxVisible)}”, as in condition ? a : b.`,
      range: previous,
    }
  if (expected === 'IDENTIFIER') return { sentence: 'Enter a field name after the period.', range: previous }
  return cannotBeUsed(expression, range)
}

function explainUnexpected(expression: string, range: Range, summary: string): Explanation {
  if (expression.trim() === '')
    return {
      sentence: 'Enter an expression, for example data.system == "4915123456789".',
      range: { start: 0, end: expression.length },
    }
  const mistake = explainForeign(expression, range)
  if (mistake !== undefined) return mistake
  if (isAtEnd(expression, range)) {
    const previous = tokenBefore(expression, range.start)
    return {
      sentence: `Add a value after “${shorten(textOf(expression, previous), maxVisible)}”.`,
      range: previous,
    }
  }
  const text = textOf(expression, range)
  const bracket = brackets[text]
  if (bracket !== undefined)
    return { sentence: `Remove the closing ${bracket}, or add an opening one before it.`, range }
  if (/^[“”„‟‘’‚‛«»]/.test(text))
    return { sentence: `Use straight quotation marks (") instead of ${text}.`, range }
  if (text === ';') return { sentence: 'Remove “;”. A filter is one expression.', range }
  // The library quotes the character if a complete expression precedes it.
  if (summary.endsWith("'") && /^[\w"'([{]/.test(text))
    return { sentence: `Add && or || before “${shorten(text, maxVisible)}”, or remove it.`, range }
  return cannotBeUsed(expression, range)
}

/** Explains operators of other languages: `and`, `=`, `===`, `<>`. */
function explainForeign(expression: string, range: Range): Explanation | undefined {
  const [comparison] = /[=!<>]{1,3}$/.exec(expression.slice(Math.max(0, range.end - 3), range.end)) ?? []
  const sentence = comparison === undefined ? undefined : wrongComparisons[comparison]
  if (comparison !== undefined && sentence !== undefined)
    return { sentence, range: { start: range.end - comparison.length, end: range.end } }
  const candidates = [range, tokenBefore(expression, range.start)]
  for (const candidate of candidates) {
    const word = textOf(expression, candidate)
    const replacement = replacements[word.toLowerCase()]
    if (replacement !== undefined)
      return { sentence: `Use ${replacement} instead of “${word}”.`, range: candidate }
  }
  return undefined
}

function cannotBeUsed(expression: string, range: Range): Explanation {
  const text = textOf(expression, range)
  const visible = /^[\p{Cc}\p{Cf}]*$/u.test(text) ? 'This character' : `“${shorten(text, maxVisible)}”`
  return { sentence: `${visible} cannot be used here.`, range }
}

const lowerCaseNames = ['data', 'event', 'true', 'false', 'null']

function explainName(expression: string, range: Range): Explanation {
  const name = textOf(expression, range)
  const lowerCase = lowerCaseNames.find((known) => known === name.toLowerCase())
  const visible = shorten(name, maxVisible)
  return {
    sentence: `Unknown name: ${visible}. ${lowerCase === undefined ? `Use data.${visible} for a field, or put text in quotation marks.` : `Use ${lowerCase}, in lower case.`}`,
    range,
  }
}

const typeTexts: Record<string, string | undefined> = {
  string: 'text',
  int: 'a number',
  uint: 'a number',
  double: 'a number',
  bool: 'true or false',
  null: 'null',
  dyn: 'a field',
  bytes: 'bytes',
  timestamp: 'a time',
  'google.protobuf.Timestamp': 'a time',
  'google.protobuf.Duration': 'a duration',
  type: 'a type',
}

function typeText(type: string): string {
  if (/^list\b/.test(type)) return 'a list'
  if (/^map\b/.test(type)) return 'a map'
  return typeTexts[type] ?? 'this value'
}

function quotedType(summary: string): string {
  return /'([^']+)'/.exec(summary)?.[1] ?? ''
}

function explainTypes(expression: string, range: Range, summary: string): Explanation | undefined {
  const call = /'(?:(.+)\.)?([\w]+)\((.*)\)'$/.exec(summary)
  if (call !== null) return explainCall(expression, range, call[1], call[2] ?? '', call[3] ?? '')
  const [, left = '', operator = '', right = ''] = /: (\S+) (\S+) (\S+)$/.exec(summary) ?? []
  if (operator === '') return { sentence: 'An operator cannot be used with this value.', range }
  const [first, second] = [typeText(left), typeText(right)]
  const isComparison = /^[=!<>]/.test(operator)
  return {
    sentence: isComparison
      ? `${capitalize(first)} cannot be compared with ${second}. Both sides of ${operator} must have the same type.`
      : `The operator ${operator} cannot be used with ${first} and ${second}.`,
    range,
  }
}

const functionNames = new Set([...functions.keys()].map((key) => key.replace(/^\.|\/\d+$/g, '')))
const macroNames = ['has', 'exists', 'exists_one', 'all', 'filter', 'map']

function explainCall(
  expression: string,
  range: Range,
  receiver: string | undefined,
  name: string,
  types: string,
): Explanation {
  const at = nameRange(expression, range, name)
  const names = [...functionNames, ...macroNames]
  if (!names.includes(name)) {
    const similar = names.find((known) => known.toLowerCase() === name.toLowerCase())
    return {
      sentence: `Unknown function: ${shorten(name, maxVisible)}().${similar === undefined ? '' : ` Use ${similar}().`}`,
      range: at,
    }
  }
  const isMethodOnly = ![...functions.keys()].some((key) => key.startsWith(`${name}/`))
  if (receiver === undefined && isMethodOnly)
    return { sentence: `${name}() follows the value: write value.${name}(…).`, range: at }
  const on = receiver === undefined ? '' : ` on ${typeText(receiver)}`
  const values = types === '' ? 'without values' : `with ${types.split(', ').map(typeText).join(' and ')}`
  return { sentence: `${name}()${on} cannot be used ${values}.`, range: at }
}

/** Returns where the name of a call is: the call of a method starts with its value. */
function nameRange(expression: string, range: Range, name: string): Range {
  for (const call of textOf(expression, range).matchAll(/\b\w+(?=\s*\()/g)) {
    const start = range.start + call.index
    if (call[0] === name) return { start, end: start + name.length }
  }
  return range
}

function isAtEnd(expression: string, { start }: Range): boolean {
  return expression.slice(start).trim() === ''
}

const maxTokenLength = 400
const lastToken = /(?:"[^"]*"|'[^']*'|\w+|&&|\|\||[=!<>]=|[^\s\w])$/

/** Returns the last token that ends at or before the index. */
function tokenBefore(expression: string, index: number): Range {
  const end = expression.slice(0, index).trimEnd().length
  const before = expression.slice(Math.max(0, end - maxTokenLength), end)
  const [token = ''] = lastToken.exec(before) ?? []
  return { start: end - token.length, end }
}

function withinText({ start, end }: Range, expression: string): Range {
  const from = Math.min(start, expression.length)
  return { start: from, end: Math.min(Math.max(end, from), expression.length) }
}

function textOf(expression: string, { start, end }: Range): string {
  return expression.slice(start, end)
}

function capitalize(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase())
}

const maxSummary = 120

/** Ends a message of the library like a sentence, on one line. */
function finish(summary: string): string {
  const line = shorten(summary.trim(), maxSummary)
  return /[.!?]$/.test(line) ? line : `${line}.`
}
