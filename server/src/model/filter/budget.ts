/**
 * Limits the cost of filters. A unit is about a nanosecond of CPU time or eight bytes of memory, whichever is more.
 * Every operation is charged by the sizes of its operands before it runs, so nothing unpaid is computed or allocated.
 * At 1,000,000 units a filter takes about a millisecond and at most 8 MB.
 */

/** Maximum cost of one filter on one event. */
export const maxFilterUnits = 1_000_000

/** Budget shared by all expressions on one event: beyond five, each gets an equal part. */
export const maxEventUnits = 5_000_000

/** Enough for a search in a message of 4,000 characters or a few time zones, for any number of webhooks. */
export const minFilterUnits = 50_000

/** Cost between two yields to the event loop. With the filter that exceeds it, about three milliseconds. */
export const maxUnitsPerSlice = 2_000_000

/** Cost of parsing an event for filters, by its length. */
export const unitsPerCharacter = 20

/** Returns the budget of each of `expressions` on one event. It depends only on their number, not their order. */
export function unitsPerFilter(expressions: number): number {
  const share = Math.floor(maxEventUnits / Math.max(1, expressions))
  return Math.max(minFilterUnits, Math.min(maxFilterUnits, share))
}

class TooExpensive extends Error {}

/** One instance for all: creating an error costs more than most operations. */
const tooExpensive = new TooExpensive('the filter exceeds its budget')

export function isTooExpensive(error: unknown): boolean {
  return error === tooExpensive
}

export class Meter {
  spent = 0
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  spend(units: number): void {
    this.spent += units
    if (this.spent > this.limit) throw tooExpensive
  }

  get left(): number {
    return this.limit - this.spent
  }
}
