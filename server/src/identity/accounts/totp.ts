/** Codes of an authenticator app by RFC 6238, as every app has them: SHA-1, 30 seconds, six digits. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** A clock may be off by this many steps, and a code may be typed slowly. */
const tolerance = 1
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hmac = createHmac('sha1', secret).update(counter).digest()
  const offset = (hmac.at(-1) ?? 0) & 0xf
  const number = hmac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is, if it is one of about now. All are compared, whichever fits. */
export function stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = Math.floor(nowMs / stepMs)
  const near = Array.from({ length: 2 * tolerance + 1 }, (_, place) => now - tolerance + place)
  const fitting = near.filter((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)))
  return fitting.at(-1)
}

/** RFC 4648, without padding; secrets are whole groups of five bytes. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => alphabet[Number.parseInt(five, 2)] ?? '')
}

/** What an authenticator app reads from a picture. */
export function enrolmentUri(issuer: string, name: string, secret: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1_000}`
}
