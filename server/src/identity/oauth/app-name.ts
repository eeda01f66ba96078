/**
 * Validates app names. Users base their consent on the name, so it must not mislead: no invisible characters, no mixed
 * scripts, and no resemblance to the name of this service. Pure.
 */
import { ApiError } from '../../model/errors.ts'

const maxLength = 60

/** Returns the normalized name. Throws for an invalid name. */
export function validateAppName(input: string): string {
  const name = input.normalize('NFC').trim()
  const { length } = Array.from(name)
  if (length === 0 || length > maxLength) throw invalidName(`must have 1 to ${maxLength} characters`)
  if (hasInvisible(name)) throw invalidName('contains invisible characters or changes the text direction')
  if (!isSingleScript(name)) throw invalidName('mixes scripts. Use letters of one script')
  if (imitatesService(name)) throw invalidName('resembles the name of this service. Choose another name')
  return name
}

function invalidName(problem: string): ApiError {
  return new ApiError('parameterInvalid', `The parameter "name" ${problem}.`, { field: 'name' })
}

/** Detects control, format, bidi, private, unassigned and filler characters, and every space except U+0020. */
function hasInvisible(name: string): boolean {
  return /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )[\p{Z}]/u.test(name)
}

/** Scripts in modern use. Other scripts serve mainly to imitate letters. */
const scripts =
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Han Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'.split(
    ' ',
  )

/** Allowed combinations. Chinese, Japanese and Korean use several scripts, also with Latin letters (UTS 39, 5.2). */
const allowedPatterns = [
  ...scripts.map((script) => [script]),
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
].map((combination) => {
  const letters = combination.map((script) => `\\p{Script=${script}}`).join('')
  return new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${letters}]*$`, 'u')
})

function isSingleScript(name: string): boolean {
  return allowedPatterns.some((pattern) => pattern.test(name))
}

/** Characters that resemble letters of "hookline", by that letter. `i` and `l` look alike, so both map to `l`. */
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

/** Ignores compatibility forms, case, accents, spaces and punctuation, which users easily overlook. */
function imitatesService(name: string): boolean {
  const bare = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  const folded = Array.from(bare, (character) => looksLike.get(character) ?? character).join('')
  return folded.replaceAll(/[^\p{L}\p{N}]/gu, '').includes('hookllne')
}
