import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time. Only the length can be told from the duration. */
export function isSameSecret(actual: string | Buffer, expected: string | Buffer): boolean {
  const [first, second] = [Buffer.from(actual), Buffer.from(expected)]
  return first.length === second.length && timingSafeEqual(first, second)
}
