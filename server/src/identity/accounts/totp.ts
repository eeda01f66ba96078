/** TOTP codes (RFC 6238) with the values that all authenticator apps support: SHA-1, 30 seconds, six digits. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** Tolerated steps of clock offset and typing delay. */
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

/** Returns the step of a code candidates the current time. Compares all candidates, for constant time. */
export function stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = Math.floor(nowMs / stepMs)
  const candidates = Array.from({ length: 2 * tolerance + 1 }, (_, index) => now - tolerance + index)
  const matches = candidates.filter((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)),
  )
  return matches.at(-1)
}

/** Encodes base32 (RFC 4648) without padding. The length must be a multiple of five bytes. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => alphabet[Number.parseInt(five, 2)] ?? '')
}

/** Returns the URI that an authenticator app reads from a QR code. */
export function enrollmentUri(issuer: string, name: string, secret: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1_000}`
}

/** Removes spaces and dashes and ignores case, because users type codes. */
export function normalizeCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}
