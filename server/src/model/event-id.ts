/** Event ids are UUIDs of version 7. They begin with the database's time in milliseconds, so they grow with time. */
import { randomInt, randomUUID } from 'node:crypto'

/** Returns the smallest event id of a time, like the database's `uuid_v7_floor`. */
export function minEventId(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export function isEventId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

const counterBits = 30
/** The counter starts in the lower half at random, so it lasts for half a billion events. */
const maxStart = 2 ** (counterBits - 1)

/**
 * Returns a function that returns the rest of `count` ids, which the database puts after the time of the commit. It has a
 * counter of 30 bits, so the ids of one call sort in the order of its events, even within a millisecond. The other 44 bits
 * are random.
 */
export function createIdEndings(start = randomInt(maxStart)): (count: number) => string[] {
  let next = start
  return (count) => {
    // A counter that starts again within a call would not sort.
    if (next + count > 2 ** counterBits) next = randomInt(maxStart)
    return Array.from({ length: count }, () => endingOf(next++))
  }
}

/** Takes endings from the counter of this process. */
export const takeIdEndings = createIdEndings()

/** The counter has 12 bits after the version, 14 after the variant and 4 in the last group. */
function endingOf(counter: number): string {
  const high = counter >>> 18
  const middle = (counter >>> 4) & 0x3fff
  const low = counter & 0xf
  const random = randomUUID().slice(-11)
  return `${(0x7000 | high).toString(16)}-${(0x8000 | middle).toString(16)}-${low.toString(16)}${random}`
}
