/** An authenticator app, implemented from RFC 6238 and RFC 4648 and independent of the service's code. */
import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code for a base32 secret, `periodsFromNow` periods of 30 seconds from now. */
export function appCode(secret: string, periodsFromNow = 0): string {
  const period = Math.floor(Date.now() / 30_000) + periodsFromNow
  const message = Buffer.from(period.toString(16).padStart(16, '0'), 'hex')
  const hash = createHmac('sha1', fromBase32(secret)).update(message).digest('hex')
  const offset = Number.parseInt(hash.slice(-1), 16) * 2
  const number = Number.parseInt(hash.slice(offset, offset + 8), 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}

export function fromBase32(text: string): Buffer {
  let bits = 0n
  for (const letter of text) bits = bits * 32n + BigInt(alphabet.indexOf(letter))
  return Buffer.from(bits.toString(16).padStart((text.length * 5) / 4, '0'), 'hex')
}
