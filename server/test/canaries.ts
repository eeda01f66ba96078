/**
 * Secrets made to be looked for. The search finds any twelve characters in a row of a secret, as they are or in one of
 * the shapes in which bytes end up in logs and tables, so a secret that was cut or stands within other text is found too.
 */
import { randomInt } from 'node:crypto'
import { makeToken } from '../src/identity/keys/token.ts'

export interface Canary {
  /** What is sent. */
  text: string
  /** What must not be found: the text, and what it holds in an encoded form. */
  secrets: string[]
}

export type CanaryKind = 'key' | 'broken key' | 'token' | 'basic' | 'password' | 'plain'

export function makeCanary(kind: CanaryKind): Canary {
  const text = makers[kind]()
  return { text, secrets: kind === 'basic' ? [text, Buffer.from(text, 'base64').toString()] : [text] }
}

const makers: Record<CanaryKind, () => string> = {
  key: () => makeToken('hlk'),
  'broken key': () => makeToken('hlk').replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
  token: () => [letters(24), letters(48), letters(24)].join('.'),
  basic: () => Buffer.from(`${letters(24)}:${letters(24)}`).toString('base64'),
  password: () => [' ', '&', '=', '+', '%', '"', '\\', 'ä', '漢', ''].map((odd) => letters(5) + odd).join(''),
  plain: () => letters(32),
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function letters(count: number): string {
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
}

const windowLength = 12

/** A search over any text, which answers the secrets it found there. */
export function searchFor(secrets: readonly string[]): (text: string) => string[] {
  const owners = new Map<string, string>()
  for (const secret of secrets)
    for (const shape of shapes(secret))
      for (let start = 0; start + windowLength <= shape.length; start++)
        owners.set(shape.slice(start, start + windowLength), secret)
  return (text) => {
    const found = new Set<string>()
    for (let start = 0; start + windowLength <= text.length; start++) {
      const owner = owners.get(text.slice(start, start + windowLength))
      if (owner !== undefined) found.add(owner)
    }
    return [...found]
  }
}

/** As it is and in small letters, as logins are compared; both in all the ways in which programs write bytes. */
export function shapes(secret: string): string[] {
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
    ...[0, 1, 2].flatMap((offset) => [within(bytes, offset, 'base64'), within(bytes, offset, 'base64url')]),
  ]
}

/** How the bytes look in base64 when so many others stand before them: without the characters they share. */
function within(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const whole = bytes.length - ((bytes.length + offset) % 3)
  const text = Buffer.concat([Buffer.alloc(offset), bytes.subarray(0, whole)]).toString(encoding)
  return text.slice(offset === 0 ? 0 : offset + 1)
}
