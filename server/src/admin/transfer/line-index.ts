/**
 * Finds values that occur in two lines of a file. Stores 64 bits and the line number of each value, about 20 bytes, so
 * millions of values fit in memory. Texts are digested with a random key and digests are keyed by the vault, so no file
 * can be written such that different values collide.
 */
import { hash, randomBytes } from 'node:crypto'

/** Each adds a value and returns the line that has it already. */
export interface LineIndex {
  addNumber: (value: number, line: number) => number | undefined
  /** `scope` is a number that belongs to the value. */
  addDigest: (value: Buffer, line: number, scope?: number) => number | undefined
  addText: (value: string, line: number) => number | undefined
}

const initialCapacity = 1 << 10
const maxLoad = 0.7

export function createLineIndex(): LineIndex {
  const key = randomBytes(16).toString('hex')
  let size = 0
  let table = createTable(initialCapacity)

  function add(high: number, low: number, line: number): number | undefined {
    const slot = slotOf(table, high, low)
    if (table.lines[slot] !== 0) return table.lines[slot]
    put(table, slot, high, low, line)
    size++
    if (size > table.lines.length * maxLoad) table = grown(table)
    return undefined
  }

  return {
    addNumber: (value, line) => add(0, value, line),
    addDigest: (value, line, scope = 0) =>
      add((value.readUInt32LE(0) ^ Math.imul(scope, spread)) >>> 0, value.readUInt32LE(4), line),
    addText(value, line) {
      const digest = hash('sha256', key + value, 'buffer')
      return add(digest.readUInt32LE(0), digest.readUInt32LE(4), line)
    },
  }
}

interface Table {
  highs: Uint32Array
  lows: Uint32Array
  /** 0: the slot is free. */
  lines: Uint32Array
}

/** An odd number, so that the multiplication maps different numbers to different ones. */
const spread = 0x9e3779b1

function createTable(capacity: number): Table {
  return {
    highs: new Uint32Array(capacity),
    lows: new Uint32Array(capacity),
    lines: new Uint32Array(capacity),
  }
}

/** Returns the slot of the value, or the free slot where it belongs. */
function slotOf({ highs, lows, lines }: Table, high: number, low: number): number {
  const mask = lines.length - 1
  let slot = ((Math.imul(low, spread) >>> 8) ^ high) & mask
  while (lines[slot] !== 0 && (highs[slot] !== high || lows[slot] !== low)) slot = (slot + 1) & mask
  return slot
}

function put(table: Table, slot: number, high: number, low: number, line: number): void {
  table.highs[slot] = high
  table.lows[slot] = low
  table.lines[slot] = line
}

function grown(old: Table): Table {
  const table = createTable(old.lines.length * 2)
  for (const [slot, line] of old.lines.entries()) {
    const [high = 0, low = 0] = [old.highs[slot], old.lows[slot]]
    if (line !== 0) put(table, slotOf(table, high, low), high, low, line)
  }
  return table
}
