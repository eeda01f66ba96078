/** Widths of texts in columns of a terminal. East Asian characters and emoji take two, marks none. */
const segments = new Intl.Segmenter()

/** Of Unicode's East Asian Width, as far as terminals follow it. */
const wide =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const invisible = /^[\p{M}\u200b-\u200d]+$/u

function charactersOf(text: string): { text: string; width: number }[] {
  // Most lines.
  if (/^[ -~]*$/.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }))
  return Array.from(segments.segment(text), ({ segment }) => ({
    text: segment,
    width: wide.test(segment) ? 2 : invisible.test(segment) ? 0 : 1,
  }))
}

export function widthOf(text: string): number {
  return charactersOf(text).reduce((sum, { width }) => sum + width, 0)
}

/** Adds spaces up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The longest beginning of a text that fits into a width. */
export function cut(text: string, width: number): string {
  return wrap(text, width, 1)[0] ?? ''
}

/** Splits a text into lines of at most a width, and at most `maxLines` of them. */
export function wrap(text: string, width: number, maxLines = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const character of charactersOf(text)) {
    if (used + character.width > width) {
      lines.push(line)
      if (lines.length === maxLines) return lines
      line = ''
      used = 0
    }
    line += character.text
    used += character.width
  }
  return [...lines, line]
}
