/**
 * Plants secrets and searches for them. The search finds any 12 consecutive characters of a secret, as is or in one of
 * the encodings common in logs and tables, so it also finds truncated and embedded secrets.
 */
import { randomInt } from 'node:crypto'
import { createToken } from '../../src/identity/keys/token.ts'

export interface PlantedSecret {
  /** The text to send. */
  text: string
  /** The texts that must not leak: the text itself and its decoded content. */
  secrets: string[]
}

export type SecretKind = 'key' | 'broken key' | 'token' | 'basic' | 'password' | 'plain'

export function plantSecret(kind: SecretKind): PlantedSecret {
  const text = generators[kind]()
  return { text, secrets: kind === 'basic' ? [text, Buffer.from(text, 'base64').toString()] : [text] }
}

const generators: Record<SecretKind, () => string> = {
  key: () => createToken('hlk'),
  'broken key': () => createToken('hlk').replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
  token: () => [randomLetters(24), randomLetters(48), randomLetters(24)].join('.'),
  basic: () => Buffer.from(`${randomLetters(24)}:${randomLetters(24)}`).toString('base64'),
  password: () =>
    [' ', '&', '=', '+', '%', '"', '\\', 'ä', '漢', ''].map((special) => randomLetters(5) + special).join(''),
  plain: () => randomLetters(32),
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Long enough that two secrets do not share a part by chance: a percent-encoded byte takes three characters. */
const windowLength = 12
const percentWindowLength = 3 * windowLength

function windowLengthOf(form: string): number {
  return form.startsWith('%') && !/[^%0-9A-Fa-f]/.test(form) ? percentWindowLength : windowLength
}

/** Creates a search that returns the secrets in a text. */
export function searchFor(secrets: readonly string[]): (text: string) => string[] {
  const secretByWindow = new Map<string, string>()
  for (const secret of secrets)
    for (const form of encodedForms(secret)) {
      const length = windowLengthOf(form)
      for (let start = 0; start + length <= form.length; start++)
        secretByWindow.set(form.slice(start, start + length), secret)
    }
  return (text) => {
    const found = new Set<string>()
    for (const length of [windowLength, percentWindowLength])
      for (let start = 0; start + length <= text.length; start++) {
        const secret = secretByWindow.get(text.slice(start, start + length))
        if (secret !== undefined) found.add(secret)
      }
    return [...found]
  }
}

/** Encodes the secret as is and in lowercase, because logins are compared in lowercase. */
export function encodedForms(secret: string): string[] {
  return [secret, secret.toLowerCase()].flatMap(encodings)
}

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const percent = encodeURIComponent(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    percent,
    percent.toLowerCase() === secret.toLowerCase() ? percent : percent.replaceAll('%20', '+'),
    hex.toUpperCase().replace(/../g, '%$&'),
    ...[0, 1, 2].flatMap((offset) => [
      base64At(bytes, offset, 'base64'),
      base64At(bytes, offset, 'base64url'),
    ]),
  ]
}

/** Encodes the bytes in base64 after `offset` other bytes, without the characters shared with them. */
function base64At(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const whole = bytes.length - ((bytes.length + offset) % 3)
  const text = Buffer.concat([Buffer.alloc(offset), bytes.subarray(0, whole)]).toString(encoding)
  return text.slice(offset === 0 ? 0 : offset + 1)
}
