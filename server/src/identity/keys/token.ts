/**
 * The shape of keys: prefix, `_`, 30 random characters (178 bits), 6 characters of checksum.
 * The prefix lets people and secret scanners see what it is; the checksum lets us refuse typos and noise without
 * asking the database. The shape never changes: keys live for years in other people's configuration.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const shownLength = 8

/** hlk: API key of an account. hlp: key of a producer, a part of the gateway that hands in events. */
export type TokenKind = 'hlk' | 'hlp'

export function makeToken(kind: TokenKind): string {
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

/** The first characters, by which people tell their keys apart. */
export function shownPrefix(token: string): string {
  return token.slice(0, shownLength)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < checksumLength; place++) {
    text = alphabet[rest % alphabet.length] + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
