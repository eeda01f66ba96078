/**
 * Lists as PostgreSQL writes arrays. The driver does this too, but looks at every value as if it could be anything; on
 * the hot path, with a dozen lists for each batch, that is a third of the worker's work with the database.
 */
type Plain = number | boolean | Date | null | undefined

/** Of values that need no quotes whatever they are. */
export function plainArray(values: readonly Plain[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'NULL'))).join(',')}}`
}

/** Of words from lists of our own, ids and hexadecimals: letters, digits, dashes and underscores, or nothing. */
export function wordArray(values: ReadonlyArray<string | null | undefined>): string {
  return `{${values.map(word).join(',')}}`
}

function word(value: string | null | undefined): string {
  if (value == null) return 'NULL'
  if (value === '') return '""'
  if (!/^[\w-]+$/.test(value)) throw new Error('this is not a word')
  return value
}

/** Of any text. */
export function textArray(values: ReadonlyArray<string | null | undefined>): string {
  return `{${values.map((value) => (value == null ? 'NULL' : quoted(value))).join(',')}}`
}

function quoted(text: string): string {
  return `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`
}
