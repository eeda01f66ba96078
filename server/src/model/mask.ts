/** Numbers and texts of people, as they are shown to whoever has not asked to see them. */
const keptAtStart = 4
const keptAtEnd = 2

/** The first four and the last two characters; of what is so short that these would tell all, nothing. */
export function mask(text: string): string {
  const characters = Array.from(text)
  const hidden = characters.length - keptAtStart - keptAtEnd
  if (hidden <= 0) return '•'.repeat(characters.length)
  return [...characters.slice(0, keptAtStart), '•'.repeat(hidden), ...characters.slice(-keptAtEnd)].join('')
}
