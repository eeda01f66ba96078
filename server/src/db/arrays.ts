/**
 * Formats lists as PostgreSQL array literals, without inspecting the type of every value as the driver does. Rows of the
 * hot path are encoded in the binary format instead (`binary-arrays.ts`).
 */
type Plain = number | boolean | Date | null | undefined

/** Formats values that never need quotes. */
export function plainArray(values: readonly Plain[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'NULL'))).join(',')}}`
}

/** Formats words that never need quotes: letters, digits, dashes and underscores. An empty string is quoted. */
export function wordArray(values: ReadonlyArray<string | null | undefined>): string {
  return `{${values.map(word).join(',')}}`
}

function word(value: string | null | undefined): string {
  if (value == null) return 'NULL'
  if (value === '') return '""'
  if (!/^[\w-]+$/.test(value)) throw new Error('array element is not a word')
  return value
}

/** Formats any text, quoted. */
export function textArray(values: ReadonlyArray<string | null | undefined>): string {
  return `{${values.map((value) => (value == null ? 'NULL' : quoted(value))).join(',')}}`
}

function quoted(text: string): string {
  return `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`
}
