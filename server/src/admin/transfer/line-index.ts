/**
 * Finds values that occur in two lines of a file. Stores 64 bits of a digest and the line number for each value: about
 * 20 bytes, so an index of millions of values fits in memory. The digest has a random key, so no file can be written
 * such that different values collide.
 */
import { hash, randomBytes } from 'node:crypto'

export interface LineIndex {
  /** Adds a value. Returns the line that has it already. */
  add: (value: string, line: number) => number | undefined
}

const initialCapacity = 1 << 12
const maxLoad = 0.7

export function createLineIndex(): LineIndex {
  const key = randomBytes(16).toString('hex')
  let capacity = initialCapacity
  let size = 0
  let digests = new BigUint64Array(capacity)
  // 0: the slot is free.
  let lines = new Uint32Array(capacity)

  function slotOf(digest: bigint): number {
    let slot = Number(digest & BigInt(capacity - 1))
    while (lines[slot] !== 0 && digests[slot] !== digest) slot = (slot + 1) & (capacity - 1)
    return slot
  }

  function put(slot: number, digest: bigint, line: number): void {
    digests[slot] = digest
    lines[slot] = line
  }

  function grow(): void {
    const [oldDigests, oldLines] = [digests, lines]
    capacity *= 2
    digests = new BigUint64Array(capacity)
    lines = new Uint32Array(capacity)
    for (const [slot, line] of oldLines.entries()) {
      const digest = oldDigests[slot] ?? 0n
      if (line !== 0) put(slotOf(digest), digest, line)
    }
  }

  return {
    add(value, line) {
      const digest = hash('sha256', key + value, 'buffer').readBigUInt64LE()
      const slot = slotOf(digest)
      if (lines[slot] !== 0) return lines[slot]
      put(slot, digest, line)
      size++
      if (size > capacity * maxLoad) grow()
      return undefined
    },
  }
}
