/** What went wrong in an expression, in words that hold no value of the event it ran on. Pure. */
import { EvaluationError } from '@marcbachmann/cel-js'

/** Errors whose words are always the same, or name types and functions and nothing else. */
const plainCodes: ReadonlySet<string> = new Set([
  'division_by_zero',
  'double_conversion_error',
  'index_out_of_range',
  'int_conversion_error',
  'invalid_comparison_type',
  'invalid_comprehension_range',
  'invalid_condition_type',
  'invalid_list_element_type',
  'invalid_logical_operand',
  'invalid_timestamp',
  'modulo_by_zero',
  'no_matching_overload',
  'no_such_overload',
  'optional_value_missing',
  'uint_conversion_error',
])

/** Errors that quote a value, in words without it. */
const ownWords: ReadonlyMap<string, string> = new Map([
  ['bool_conversion_error', 'bool() conversion error'],
  ['index_out_of_bounds', 'index out of bounds'],
  ['invalid_duration', 'invalid duration'],
  ['no_such_key', 'No such key'],
  ['numeric_overflow', 'integer overflow'],
])

/** Of an error that we do not know, not a word is passed on: it may be made of a text that somebody wrote. */
export function withoutValues(error: unknown): string {
  const { code, summary } = error instanceof EvaluationError ? error : { code: '', summary: '' }
  if (plainCodes.has(code)) return summary
  const words = ownWords.get(code) ?? 'it cannot be run on this event'
  const place = placeOf(error)
  return place === '' ? words : `${words}: ${place}`
}

/** The part of the expression that failed, as it was written. */
function placeOf(error: unknown): string {
  const node = error instanceof EvaluationError ? error.node : undefined
  return (node?.input.slice(node.start, node.end) ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** The library's messages quote the expression on further lines; the first says what is wrong. */
export function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it does not compile.'
}
