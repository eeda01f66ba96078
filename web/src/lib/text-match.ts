/** Returns true if the values contain every word of the text, ignoring case. */
export function matches(text: string, ...values: string[]): boolean {
  const all = values.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
