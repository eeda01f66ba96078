/**
 * HMAC-SHA-256 (RFC 2104) of short messages, as two one-shot hashes: a third cheaper than `createHmac` for 100 bytes, a
 * quarter for 1 KB, because no object is created for each message. Pure.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32
/** Longer messages cost so much to hash that the object does not matter. They would need a larger buffer. */
const maxShortLength = 8_192
const maxBytesPerCharacter = 3

interface Pads {
  inner: Uint8Array
  outer: Uint8Array
}

/**
 * The padded keys, computed once per key. They are as secret as the key. They exist only in memory, and only as long as
 * the key does.
 */
const padsByKey = new WeakMap<KeyObject, Pads>()
/** The inputs of both hashes. Reused, since one call never interrupts another. */
const innerInput = Buffer.alloc(blockBytes + maxShortLength * maxBytesPerCharacter)
const outerInput = Buffer.alloc(blockBytes + digestBytes)

export function hmacSha256(key: KeyObject, message: string, encoding: 'base64' | 'hex'): string {
  if (message.length > maxShortLength) return createHmac('sha256', key).update(message).digest(encoding)
  const { inner, outer } = padsOf(key)
  innerInput.set(inner)
  const end = blockBytes + innerInput.write(message, blockBytes)
  outerInput.set(outer)
  // As text: a buffer for the digest costs more than copying it.
  outerInput.write(hash('sha256', innerInput.subarray(0, end), 'binary'), blockBytes, 'binary')
  return hash('sha256', outerInput, encoding)
}

function padsOf(key: KeyObject): Pads {
  const cached = padsByKey.get(key)
  if (cached !== undefined) return cached
  const exported = key.export()
  const bytes = exported.length > blockBytes ? hash('sha256', exported, 'buffer') : exported
  const pads = { inner: pad(bytes, 0x36), outer: pad(bytes, 0x5c) }
  padsByKey.set(key, pads)
  return pads
}

function pad(key: Uint8Array, mask: number): Uint8Array {
  return Uint8Array.from({ length: blockBytes }, (_, index) => (key[index] ?? 0) ^ mask)
}
