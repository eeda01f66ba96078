/**
 * Format of keys: prefix, `_`, 30 random characters (178 bits), 6 characters of checksum.
 * The prefix identifies the type for users and secret scanners. The checksum detects typos and random input without a
 * database query. The format never changes, because keys stay in client configurations for years.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const prefixLength = 8

/** hlk: API key of an account. hlp: key of a producer. */
export type TokenKind = 'hlk' | 'hlp'

export function createToken(kind: TokenKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const body = `${kind}_${random}`
  return body + checksum(body)
}

export function isToken(text: string, kind: TokenKind): boolean {
  const body = text.slice(0, -checksumLength)
  const length = kind.length + 1 + randomLength + checksumLength
  return (
    text.length === length && text.startsWith(`${kind}_`) && checksum(body) === text.slice(-checksumLength)
  )
}

/** Returns the first characters, by which users identify a key. */
export function displayPrefix(token: string): string {
  return token.slice(0, prefixLength)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet[rest % alphabet.length] + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
