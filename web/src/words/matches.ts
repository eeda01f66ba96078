/** Every word of the text is in one of the values. */
export function matches(text: string, ...values: string[]): boolean {
  const all = values.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
