/** How a record of an import compares with the stored data. A deleted hook is not created again. */
export type ImportComparison = 'new' | 'unchanged' | 'deleted' | { problem: string }

/**
 * Compares the fields of a record that the file has. `fields` has a pair for each: the value in the file, undefined if
 * missing, and the stored one.
 */
export function compareFields(
  subject: string,
  fields: Readonly<Record<string, readonly [input: unknown, stored: unknown]>>,
): ImportComparison {
  const changed = Object.entries(fields)
    .filter(([, [input, stored]]) => input !== undefined && comparable(input) !== comparable(stored))
    .map(([name]) => `"${name}"`)
  return changed.length === 0
    ? 'unchanged'
    : { problem: `${subject} exists with another value of ${changed.join(', ')}.` }
}

function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return Array.isArray(value) ? JSON.stringify(value) : value
}
