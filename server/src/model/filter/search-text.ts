/**
 * Searches text in linear time. The engine's search compares up to `text × needle` characters on adversarial text, so
 * it is used only if that product is small.
 */

const maxNativeProduct = 4_096

/** Measured on worst cases, such as many `a` and a needle of `a` that ends in `b`. */
export function searchUnits(text: string, needle: string): number {
  if (needle.length === 0) return 50 + text.length / 4
  // For a single character the engine searches one byte, which may occur in every character of the text.
  if (needle.length === 1) return 50 + 6 * text.length
  return 50 + 10 * text.length + 25 * needle.length
}

export function indexOfText(text: string, needle: string, from = 0): number {
  if (needle.length <= 1 || text.length * needle.length <= maxNativeProduct) return text.indexOf(needle, from)
  return scan(codesOf(text), needleOf(needle), from, text.length, false)
}

/** Returns the last match that starts at or before `from`. */
export function lastIndexOfText(text: string, needle: string, from = text.length): number {
  if (needle.length <= 1 || text.length * needle.length <= maxNativeProduct)
    return text.lastIndexOf(needle, from)
  return scan(codesOf(text), needleOf(needle), 0, Math.min(text.length, from + needle.length), true)
}

/** Returns at most `limit` parts and omits the rest. */
export function splitText(text: string, separator: string, limit: number): string[] {
  if (separator.length <= 1 || text.length * separator.length <= maxNativeProduct)
    return text.split(separator, limit)
  // Prepared once, not per part.
  const [codes, needle] = [codesOf(text), needleOf(separator)]
  const parts: string[] = []
  let start = 0
  while (parts.length < limit) {
    const at = scan(codes, needle, start, text.length, false)
    if (at === -1) break
    parts.push(text.slice(start, at))
    start = at + separator.length
  }
  if (parts.length < limit) parts.push(text.slice(start))
  return parts
}

interface Needle {
  codes: Uint16Array
  /** For each prefix, the length of its longest proper prefix that is also its suffix. */
  borders: Int32Array
}

/** Knuth–Morris–Pratt: no character of the text is read again after a mismatch. */
function scan(codes: Uint16Array, needle: Needle, from: number, to: number, isLast: boolean): number {
  const { codes: pattern, borders } = needle
  const { length } = pattern
  if (length > to - from) return -1
  let found = -1
  let matched = 0
  for (let at = from; at < to; at++) {
    const code = codes[at]
    while (matched > 0 && pattern[matched] !== code) matched = borders[matched - 1] as number
    if (pattern[matched] === code) matched++
    if (matched < length) continue
    found = at - matched + 1
    if (!isLast) return found
    matched = borders[matched - 1] as number
  }
  return found
}

function needleOf(text: string): Needle {
  const codes = codesOf(text)
  return { codes, borders: bordersOf(codes) }
}

/** Returns the UTF-16 codes of a text. Reading them from an array is several times faster than from the string. */
export function codesOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
}

function bordersOf(pattern: Uint16Array): Int32Array {
  const borders = new Int32Array(pattern.length)
  let length = 0
  for (let at = 1; at < pattern.length; at++) {
    const code = pattern[at]
    while (length > 0 && pattern[length] !== code) length = borders[length - 1] as number
    if (pattern[length] === code) length++
    borders[at] = length
  }
  return borders
}
