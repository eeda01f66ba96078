/**
 * What an app may be called. People decide by this name whom they let in, so it must look like what it is: no invisible
 * characters, no letters of one script among those of another, and nothing that could be taken for us. Pure.
 */
import { Refusal } from '../../model/errors.ts'

const longestName = 60

/** The name as it is kept, or a refusal. */
export function judgeAppName(given: string): string {
  const name = given.normalize('NFC').trim()
  const { length } = Array.from(name)
  if (length === 0 || length > longestName) throw refuse(`must have 1 to ${longestName} characters`)
  if (hasUnseen(name))
    throw refuse('has characters that cannot be seen, or that change the direction of writing')
  if (!isOfOneScript(name)) throw refuse('mixes letters of different scripts; write it in one')
  if (imitatesUs(name)) throw refuse('looks like the name of this service; choose one of your own')
  return name
}

function refuse(why: string): Refusal {
  return new Refusal('parameterInvalid', `The parameter "name" ${why}.`)
}

/** Controls, format and bidi characters, private and unassigned ones, fillers, and every space but the plain one. */
function hasUnseen(name: string): boolean {
  return /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )[\p{Z}]/u.test(name)
}

/** Those that are written today; the rest serves only to look like another. */
const scripts =
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Han Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'.split(
    ' ',
  )

/** Chinese, Japanese and Korean are written with several at once, and with Latin letters among them (UTS 39, 5.2). */
const written = [
  ...scripts.map((script) => [script]),
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
].map((together) => {
  const letters = together.map((script) => `\\p{Script=${script}}`).join('')
  return new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${letters}]*$`, 'u')
})

function isOfOneScript(name: string): boolean {
  return written.some((pattern) => pattern.test(name))
}

/** Letters and signs that look like one of ours, by the one they look like. `i` and `l` look alike, so both are `l`. */
const lookAlikes: Record<string, string> = {
  h: 'һнћհʜħ',
  o: '0οоօσסهഠ๐໐ᴏøɵ',
  k: 'κкқҝҡᴋƙĸ',
  l: 'i1|!¡ıɩɪιіӏлוןاʟłɫǀ',
  n: 'ոռпиηɴŋƞ',
  e: '3еєҽεᴇəɛө€',
}
const looksLike = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter])),
)

/** Compatibility forms, case, accents, spaces and signs between letters make no difference to a hasty eye. */
function imitatesUs(name: string): boolean {
  const bare = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  const seen = Array.from(bare, (sign) => looksLike.get(sign) ?? sign).join('')
  return seen.replaceAll(/[^\p{L}\p{N}]/gu, '').includes('hookllne')
}
