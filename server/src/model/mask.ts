/** Masks phone numbers and texts unless they are revealed. */
const visibleAtStart = 4
const visibleAtEnd = 2

/** Keeps the first four and the last two characters. Masks short text completely. */
export function mask(text: string): string {
  const characters = Array.from(text)
  const hidden = characters.length - visibleAtStart - visibleAtEnd
  if (hidden <= 0) return '•'.repeat(characters.length)
  return [
    ...characters.slice(0, visibleAtStart),
    '•'.repeat(hidden),
    ...characters.slice(-visibleAtEnd),
  ].join('')
}
